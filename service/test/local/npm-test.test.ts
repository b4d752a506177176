import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { copyProject, type LocalProject, untilNothingRuns, WITHOUT_PROC } from './local-project.ts';

/** The folder for temporary files after a run has cleaned up. */
const NOTHING: readonly string[] = [];

describe('npm test', { skip: WITHOUT_PROC }, () => {
  let project: LocalProject;
  let temporary: string;

  before(async () => {
    project = await copyProject();
    temporary = join(project.folder, 'tmp');
    mkdirSync(temporary, { mode: 0o755 });
    mkdirSync(join(project.folder, 'sdk', 'slow'), { recursive: true });
  });

  after(() => project.remove());

  /** A run inside a run. It would not connect to this database, and need not make one. */
  function runTests(...args: readonly string[]) {
    return runWith({ TEST_DATABASE_URL: 'postgres://postgres@127.0.0.1/none' }, args);
  }

  function runWithOwnDatabase(...args: readonly string[]) {
    return runWith({ TEST_DATABASE_URL: '' }, args);
  }

  function runWith(env: Readonly<Record<string, string>>, args: readonly string[]) {
    const script = join(project.folder, 'scripts', 'test.mjs');
    return project.start({ TMPDIR: temporary, ...env }, [process.execPath, script, ...args]);
  }

  function writeTest(name: string, body: string) {
    const text = `import it from 'node:test';\nimport assert from 'node:assert';\n${body}\n`;
    writeFileSync(join(project.folder, 'sdk', name), text);
  }

  it('ends with its totals, on a database of its own that is gone afterwards', async () => {
    writeTest(
      'good.test.ts',
      `it('has a database', () => assert.match(process.env.TEST_DATABASE_URL, /postgres:/));`,
    );
    writeTest('slow/long.test.ts', `it('takes long', () => {});`);
    const run = runWithOwnDatabase();
    assert.equal(await run.ended(), 0, run.output());
    assert.match(run.output(), /\n1 passed, 0 failed, 0 skipped\n$/);
    await untilNothingRuns(project);
    assert.deepEqual(readdirSync(temporary), NOTHING);
  });

  it('keeps the hooks of a file to its own tests where files share a process', async () => {
    writeTest(
      'first.test.ts',
      `import { beforeEach } from 'node:test';
      const names = [];
      beforeEach((test) => void names.push(test.name));
      it('has its own hook', () => assert.deepEqual(names, ['has its own hook']));
      export { names };`,
    );
    writeTest(
      'second.test.ts',
      `import { names } from './first.test.ts';
      it('shares the process, and has no hook', () => assert.equal(names.length, 1));`,
    );
    const run = runTests();
    assert.equal(await run.ended(), 0, run.output());
    assert.match(run.output(), /\n3 passed, 0 failed, 0 skipped\n$/);
    for (const name of ['first', 'second']) rmSync(join(project.folder, 'sdk', `${name}.test.ts`));
  });

  it('fails when a test fails', async () => {
    writeTest('bad.test.ts', `it('fails', () => assert.equal(1, 2));`);
    const run = runTests();
    assert.equal(await run.ended(), 1);
    assert.match(run.output(), /1 == 2.+\n1 passed, 1 failed, 0 skipped\n$/s);
  });

  it('fails and names each test and suite that is skipped or to do', async () => {
    writeTest(
      'omitted.test.ts',
      `it.skip('is skipped', () => {});
       it.todo('is to do');
       it('is to do and fails', { todo: true }, () => assert.equal(1, 2));
       it('skips itself', (t) => t.skip('no network'));
       it.describe('a skipped suite', { skip: 'no browser' }, () => it('is not run', () => {}));
       it('runs', () => {});`,
    );
    const run = runTests('omitted');
    assert.equal(await run.ended(), 1);
    const lines = [
      'npm test refuses tests that are skipped or to do:',
      'sdk/omitted.test.ts:3 is skipped',
      'sdk/omitted.test.ts:4 is to do',
      'sdk/omitted.test.ts:5 is to do and fails',
      'sdk/omitted.test.ts:6 skips itself (no network)',
      'sdk/omitted.test.ts:7 a skipped suite (no browser)',
      '1 passed, 0 failed, 5 skipped',
      '',
    ];
    assert.deepEqual(run.output().split('\n').slice(-lines.length), lines);
    rmSync(join(project.folder, 'sdk', 'omitted.test.ts'));
  });

  it('allows a skip for want of the oracles, by its exact reason and while they are absent', async () => {
    const reason = 'shared/oracles is not there';
    writeTest(
      'oracles.test.ts',
      `it.describe('foreign files', { skip: '${reason}' }, () => it('is not run', () => {}));
       it('runs', () => {});`,
    );
    const allowed = runTests('oracles');
    assert.equal(await allowed.ended(), 0, allowed.output());
    const skipped = `sdk/oracles.test.ts:3 foreign files (${reason})`;
    const totals = '1 passed, 0 failed, 1 skipped';
    const ending = `These tests are skipped or to do:\n${skipped}\n${totals}\n`;
    assert.ok(allowed.output().endsWith(ending), allowed.output());

    const complete = runTests('--complete', 'oracles');
    assert.equal(await complete.ended(), 1);
    assert.ok(complete.output().includes(`skipped or to do:\n${skipped}`), complete.output());

    const oracles = join(project.folder, '..', 'shared', 'oracles');
    mkdirSync(oracles, { recursive: true });
    const present = runTests('oracles');
    assert.equal(await present.ended(), 1);
    rmSync(oracles, { recursive: true });
    writeTest('oracles.test.ts', `it.todo('${reason}'); it('runs', () => {});`);
    const toDo = runTests('oracles');
    assert.equal(await toDo.ended(), 1);
    rmSync(join(project.folder, 'sdk', 'oracles.test.ts'));
  });

  it('counts every test of a file that ends at once, and names the one that fails', async () => {
    const many = `for (let i = 0; i < 3000; i++) it('number ' + i, () => {});`;
    writeTest('many.test.ts', `${many}\nit('the last', () => assert.equal(1, 3));`);
    const run = runTests('many');
    assert.equal(await run.ended(), 1);
    assert.match(run.output(), /✖ the last.+1 == 3.+\n3000 passed, 1 failed, 0 skipped\n$/s);
  });

  it('loses no line to a slow reader', async () => {
    const script = join(project.folder, 'scripts', 'test.mjs');
    // The output is longer than a pipe holds (64 kB), and nobody reads until the tests are over.
    const line = `"$0" "$1" many | { sleep 3; cat; }`;
    const env = { TMPDIR: temporary, TEST_DATABASE_URL: 'postgres://postgres@127.0.0.1/none' };
    const run = project.start(env, ['sh', '-c', line, process.execPath, script]);
    await run.ended();
    assert.match(run.output(), /✖ the last.+1 == 3.+\n3000 passed, 1 failed, 0 skipped\n$/s);
    rmSync(join(project.folder, 'sdk', 'many.test.ts'));
  });

  it('runs only the files whose path holds a filter', async () => {
    const run = runTests('good');
    assert.equal(await run.ended(), 0, run.output());
    const none = runTests('nowhere');
    assert.equal(await none.ended(), 1);
    assert.match(none.output(), /There is no test file whose path holds nowhere\.\n$/);
  });

  it('keeps slow tests for npm run test:slow, which may skip some', async () => {
    writeTest('slow/skipped.test.ts', `it.skip('needs a pooler', () => {});`);
    const run = runTests('--slow');
    assert.equal(await run.ended(), 0, run.output());
    assert.match(
      run.output(),
      /takes long.+\nThese tests .+:\nsdk\/slow\/.+ needs a pooler\n1 passed, 0 failed, 1 skipped\n$/s,
    );
  });

  it('ends what a test leaves running, and fails for it', async () => {
    const child = `spawn('sleep', ['60'], { stdio: 'ignore' })`;
    writeTest(
      'stray.test.ts',
      `import { spawn } from 'node:child_process';\nit('x', () => {${child}});`,
    );
    const run = runWithOwnDatabase('stray');
    assert.equal(await run.ended(), 1);
    assert.match(
      run.output(),
      /The tests left processes running, which are ended now:\n\d+ sleep 60/,
    );
  });

  it('leaves nothing behind when it is interrupted', async () => {
    writeTest('hang.test.ts', `it('hangs', () => new Promise((r) => setTimeout(r, 60_000)));`);
    const run = runWithOwnDatabase('hang');
    await eventually(() =>
      project.processes().some(({ command }) => command.includes('hang.test')),
    );
    run.child.kill('SIGTERM');
    assert.equal(await run.ended(), 143);
    await untilNothingRuns(project);
    assert.deepEqual(readdirSync(temporary), NOTHING);
  });
});
