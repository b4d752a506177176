import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { copyProject, type LocalProject, untilNothingRuns, WITHOUT_PROC } from './local-project.ts';

describe('npm start that cannot do its job', { skip: WITHOUT_PROC }, () => {
  let project: LocalProject;

  before(async () => {
    project = await copyProject();
  });

  after(() => project.remove());

  /** Expects one sentence, exit code 1 and nothing left running. */
  async function expectFailure(env: Readonly<Record<string, string>>, sentence: RegExp) {
    const start = project.start(env);
    assert.equal(await start.ended(), 1);
    const told = start.output().slice(start.output().indexOf('npm start failed: '));
    assert.match(told, sentence);
    assert.doesNotMatch(told, /^ +at /m, 'a stack is no sentence');
    await untilNothingRuns(project);
  }

  for (const value of ['abc', '0', '-1', '4000.5', '65506']) {
    it(`refuses BASE_PORT=${value}`, () =>
      expectFailure(
        { BASE_PORT: value },
        /^npm start failed: BASE_PORT must be a whole number from 1 to 65505, not ".*"\.\n$/,
      ));
  }

  it('names a LOCAL_DIR that it cannot write to', async () => {
    const file = join(project.folder, 'a file');
    writeFileSync(file, '');
    await expectFailure(
      { LOCAL_DIR: join(file, 'state') },
      /^npm start failed: Cannot write to .*a file\/state \(LOCAL_DIR\): a part of that path is n/,
    );
  });

  for (const host of ['127.0.0.1', '::1']) {
    it(`names a port that is in use on ${host}, and what it was for`, async () => {
      const port = project.basePort + 21;
      const server = createServer().listen(port, host);
      await new Promise((resolve) => server.once('listening', resolve));
      const words = `Port ${port}, for the operators' listener of the production service, is in use`;
      await expectFailure({}, new RegExp(`^npm start failed: ${words}\\. .*\n$`));
      server.close();
    });
  }

  it('says which setting a service refuses', () =>
    expectFailure({ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be debug or info or warn or error/));

  it('names a database that it cannot reach, without the password', async () => {
    const url = `postgres://me:secret-word@127.0.0.1:${project.basePort + 30}/pay`;
    const start = project.start({ DATABASE_URL: url });
    assert.equal(await start.ended(), 1);
    assert.match(start.output(), /Cannot connect to the database pay on 127\.0\.0\.1:\d+: /);
    assert.doesNotMatch(start.output(), /secret-word/);
  });

  it('shows the last lines of the log when PostgreSQL does not come up', async () => {
    const file = join(project.localDir, 'postgres', 'data', 'postgresql.conf');
    const before = readFileSync(file);
    appendFileSync(file, "\nshared_buffers = 'plenty'\n");
    await expectFailure({}, /PostgreSQL does not come up\. The last lines of .*plenty/s);
    writeFileSync(file, before);
  });

  it('says that the data cannot be read without the secrets it was made with', async () => {
    rmSync(join(project.localDir, 'secrets.json'));
    await expectFailure({}, /secrets\.json is missing, and what lies in .* cannot be read/);
  });
});
