import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { askForPayment, readStatus } from '../local/local-calls.ts';
import {
  copyProject,
  kill,
  type LocalProject,
  onlyProcess,
  postgresPid,
  type Start,
  untilNothingRuns,
} from '../local/local-project.ts';
import { eventually } from '../support/eventually.ts';

describe('npm start, parts of which are killed', () => {
  let project: LocalProject;
  let start: Start;
  let paymentRequestId: string;

  before(async () => {
    project = await copyProject();
    start = project.start();
    await start.ready();
    const created = await askForPayment(project.credentials().sandbox);
    paymentRequestId = ((await created.json()) as { id: string }).id;
  });

  after(() => project.remove());

  async function startAgain(): Promise<void> {
    await untilNothingRuns(project);
    start = project.start();
    await start.ready();
  }

  it('fails, with the last lines of its log, when PostgreSQL is killed', async () => {
    kill(postgresPid(project.localDir) ?? 0, 'SIGKILL');
    assert.equal(await start.ended(), 1, start.output());
    assert.match(start.output(), /PostgreSQL has ended unasked\. The last lines of .*\.log:/);
    await untilNothingRuns(project);
  });

  it('leaves nothing running when npm is killed', async () => {
    await untilNothingRuns(project);
    start = project.start({}, ['npm', 'start']);
    await start.ready();
    start.child.kill('SIGKILL');
    await untilNothingRuns(project);
    assert.equal(postgresPid(project.localDir), null);
  });

  it('takes over what is left after everything but PostgreSQL was killed', async () => {
    await startAgain();
    const orphan = postgresPid(project.localDir);
    for (const { pid } of project.processes()) if (pid !== orphan) kill(pid, 'SIGKILL');
    await start.ended();
    await eventually(() => project.processes().every(({ pid }) => pid === orphan));
    assert.equal(project.processes().length, 1);
    start = project.start();
    await start.ready();
    assert.notEqual(postgresPid(project.localDir), orphan);
    assert.equal(await readStatus(project.credentials().sandbox, paymentRequestId), 200);
  });

  it('comes up again after everything was killed at once', async () => {
    for (const { pid } of project.processes()) kill(pid, 'SIGKILL');
    await start.ended();
    await startAgain();
    assert.equal(await readStatus(project.credentials().sandbox, paymentRequestId), 200);
  });

  it('fails, with the last lines of its log, when a service is killed', async () => {
    kill(onlyProcess(project, 'cli.ts serve'), 'SIGKILL');
    assert.equal(await start.ended(), 1);
    assert.match(start.output(), /service was ended by SIGKILL\. The last lines of .*\.log:/);
    await untilNothingRuns(project);
  });
});
