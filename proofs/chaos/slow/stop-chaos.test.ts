import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../../service/test/support/eventually.ts';
import { childrenOf, isRunning } from '../../../service/test/support/service/spawned-service.ts';

const RUN = fileURLToPath(new URL('../run.ts', import.meta.url));
/** The run starts its processes, and does some faults. */
const UNDER_WAY_MS = 30_000;

describe('npm run chaos at Ctrl-C', () => {
  it('ends, and leaves no process running', async () => {
    const child = spawn(process.execPath, [RUN, '--seconds', '600', '--seed', '1']);
    const ended = once(child, 'exit');
    await wait(UNDER_WAY_MS);
    const family = familyOf(child.pid ?? 0);
    // The run itself, four processes of the service, PostgreSQL with its guard.
    assert.ok(family.length > 6, `${family.length}`);
    child.kill('SIGINT');
    const [code] = await ended;
    assert.equal(code, 1);
    await eventually(() => !family.some(isRunning), 'the end of every process');
  });
});

function familyOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)];
}
