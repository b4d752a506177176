import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.ts';

const PORTS = new URL('../../../scripts/state/ports.mjs', import.meta.url).href;
/** Finds sixty ports, more than a block has, and keeps its claims until all processes have theirs. */
const FIND = `
  const { findFreePort } = await import('${PORTS}');
  const found = await Promise.all(Array.from({ length: 60 }, () => findFreePort()));
  process.stdout.write(JSON.stringify(found));
  process.stdin.resume().on('end', () => process.exit());
`;

describe('a free port', () => {
  it('is found by one of several processes, and once', async () => {
    const runs = Array.from({ length: 4 }, () => {
      const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', FIND]);
      return { run, child: run.child };
    });
    await Promise.all(runs.map(({ child }) => once(child.stdout ?? child, 'data')));
    for (const { child } of runs) child.stdin?.end();
    const found = (await Promise.all(runs.map(({ run }) => run))).map(({ stdout }) =>
      JSON.parse(stdout),
    );
    const ports = found.flat();
    assert.equal(ports.length, 240);
    assert.equal(new Set(ports).size, 240);
  });

  it('is none that the system gives to connections', async () => {
    const range = '/proc/sys/net/ipv4/ip_local_port_range';
    const [first = 0] = readFileSync(range, 'utf8').split(/\s+/).map(Number);
    assert.ok((await freePort()) < first);
  });

  it('is passed over while something listens on it or on the ports wanted after it', async () => {
    const first = await freePort();
    const server = createServer().listen(first + 2, '127.0.0.1');
    await once(server, 'listening');
    const second = await freePort(3);
    const wanted = [second, second + 1, second + 2];
    assert.ok(!wanted.includes(first + 2), `${wanted}`);
    server.close();
  });
});
