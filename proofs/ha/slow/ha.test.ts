import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../../service/test/support/eventually.ts';
import { processesIn } from '../cluster/processes-in-folder.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The promise is 8 minutes; a minute more is for a machine that installs the packages. */
const LONGEST_RUN_MS = 9 * 60_000;

interface Run {
  readonly child: ChildProcess;
  output(): string;
  readonly exitCode: Promise<number | null>;
}

function startRun(args: readonly string[]): Run {
  const child = spawn('npm', ['run', 'ha', '--', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const exitCode = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, output: () => output, exitCode };
}

function folderOf(output: string): string {
  const folder = /are in (\S+)/.exec(output)?.[1];
  assert.ok(folder, output);
  return folder;
}

function assertNothingIsLeft(folder: string): void {
  assert.deepEqual(processesIn(folder), []);
  assert.equal(existsSync(folder), false);
}

describe('npm run ha', () => {
  it('loses nothing in any fault, and leaves nothing behind', {
    timeout: LONGEST_RUN_MS,
  }, async () => {
    const run = startRun([]);
    assert.equal(await run.exitCode, 0, run.output());
    assert.match(run.output(), /^lost 0, unexpected 0$/m);
    assert.match(run.output(), /sent [1-9]\d* writes and acknowledged 0$/m);
    assertNothingIsLeft(folderOf(run.output()));
  });

  it('ends everything when it is interrupted, and fails', { timeout: LONGEST_RUN_MS }, async () => {
    const run = startRun(['--fault', 'switch over']);
    await eventually(() => run.output().includes('are in '), 'the cluster');
    const folder = folderOf(run.output());
    await eventually(() => processesIn(folder).length > 3, 'its processes');
    process.kill(-(run.child.pid ?? 0), 'SIGINT');
    assert.notEqual(await run.exitCode, 0);
    assertNothingIsLeft(folder);
    assert.doesNotMatch(run.output(), /lost 0/);
  });
});
