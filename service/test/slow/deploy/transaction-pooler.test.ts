import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sharesSessions } from '#database/connection/shares-sessions.ts';
import { spawnCli } from '../../commands/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { settingsOf } from '../../support/service/service.ts';
import { startServiceProcess } from '../../support/service/service-process.ts';

const NOBODY = 65_534;

let database: TestDatabase;
const poolers: Pooler[] = [];

interface Pooler {
  readonly url: string;
  readonly child: ChildProcess;
  readonly folder: string;
}

before(async () => {
  database = await createTestDatabase('sandbox');
});
after(async () => {
  for (const { child, folder } of poolers) {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
  await database?.drop();
});

/** Debian's pgbouncer with its own settings, but for the mode and the size. */
async function startPooler(mode: string, size: number): Promise<string> {
  const server = new URL(database.url);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pooler-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  const password = server.password === '' ? '' : ` password=${decodeURIComponent(server.password)}`;
  writeFileSync(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port || 5432} user=${server.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
`,
    { mode: 0o644 },
  );
  // pgbouncer refuses to run as root.
  const asUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...asUser });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () => reject(new Error('This test needs pgbouncer (Debian: pgbouncer).')));
    child.once('exit', (code) => reject(new Error(`pgbouncer ended with ${code}`)));
  });
  failed.catch(() => {});
  const url = new URL(database.url);
  url.host = `127.0.0.1:${port}`;
  poolers.push({ url: url.href, child, folder });
  const answers = eventually(async () => (await sharesSessions(url.href)) !== undefined);
  await Promise.race([answers, failed]);
  return url.href;
}

describe('a connection pooler', () => {
  for (const [mode, size] of [
    ['transaction', 20],
    ['transaction', 1],
    ['statement', 20],
  ] as const) {
    it(`in ${mode} mode with ${size} connections is refused, in words`, async () => {
      const url = await startPooler(mode, size);
      assert.equal(await sharesSessions(url), true);
      const { exitCode, stderr } = await spawnCli(['serve'], settingsOf('sandbox', url));
      assert.equal(exitCode, 78, stderr);
      assert.match(stderr, /connection pooler that shares sessions.*pool_mode = session/s);
    });
  }

  it('in session mode is served through, with its own defaults', async () => {
    const url = await startPooler('session', 20);
    assert.equal(await sharesSessions(url), false);
    const service = await startServiceProcess(settingsOf('sandbox', url));
    assert.equal((await fetch(`${service.opsUrl}/health/ready`)).status, 200);
    assert.equal(await service.kill('SIGTERM'), 0);
  });
});
