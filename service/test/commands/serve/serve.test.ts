import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { COMMAND_LINE } from '../../support/service/command-line.ts';
import { compileCache } from '../../support/service/compile-cache.ts';
import { settingsOf } from '../../support/service/service.ts';
import { refusedServe } from '../refused-serve.ts';
import { runCli, spawnCli } from '../run-cli.ts';

describe('payreq serve', () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  before(async () => {
    database = await createTestDatabase('sandbox');
    env = settingsOf('sandbox', database.url);
  });
  after(() => database.drop());

  it('serves until SIGTERM, and ends within 5 s', async () => {
    const service = spawn(process.execPath, ['--', COMMAND_LINE, 'serve'], {
      env: { ...compileCache, ...env },
      stdio: 'pipe',
    });
    const ended = once(service, 'exit');
    try {
      let port = 0;
      for await (const line of createInterface(service.stdout)) {
        const entry = JSON.parse(line);
        if (entry.msg === 'service started') port = entry.port;
        if (port) break;
      }
      assert.ok(port > 0);
      service.stdout.resume();
      const made = (await runCli(['merchant', 'create', '--name', 'x', '--json'], env)).json();
      const base = `http://127.0.0.1:${port}`;
      const basic = Buffer.from(`${made.username}:${made.password}`).toString('base64');
      const answer = await fetch(`${base}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      const { access_token: token } = (await answer.json()) as { access_token: string };
      const read = async () =>
        (
          await fetch(`${base}/v1/payment-requests/x`, {
            headers: { 'x-api-key': made.apiKey, authorization: `Bearer ${token}` },
          })
        ).status;
      assert.equal(await read(), 404);
      const revoke = ['credentials', 'revoke', '--merchant', made.merchantId, '--all', '--yes'];
      assert.equal((await runCli(revoke, env)).exitCode, 0);
      const until = performance.now() + 5_000;
      while ((await read()) !== 401) assert.ok(performance.now() < until, 'revoked within 5 s');
    } finally {
      service.kill('SIGTERM');
    }
    assert.deepEqual(await ended, [0, null]);
  });

  it('says in one sentence that its port is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as { port: number };
    const ran = await spawnCli(['serve'], { ...env, PORT: String(port) });
    blocker.close();
    assert.equal(ran.exitCode, 1);
    assert.match(ran.stderr, new RegExp(`^Port ${port} is in use by another program\\.`));
  });

  it('does not start with another SECRETS_KEY than its database was made with', async () => {
    const SECRETS_KEY = randomBytes(32).toString('base64');
    const ran = await refusedServe([], { ...env, SECRETS_KEY });
    assert.equal(ran.exitCode, 78);
    assert.match(ran.stderr, /cannot be read with this SECRETS_KEY/);
  });

  it('does not start with another CREDENTIALS_PEPPER than its credentials', async () => {
    await runCli(['merchant', 'create', '--name', 'y'], env);
    const CREDENTIALS_PEPPER = randomBytes(32).toString('base64');
    const ran = await refusedServe([], { ...env, CREDENTIALS_PEPPER });
    assert.equal(ran.exitCode, 78);
    assert.match(ran.stderr, /CREDENTIALS_PEPPER is not the pepper of this database/);
    const made = await runCli(['merchant', 'create', '--name', 'z'], {
      ...env,
      CREDENTIALS_PEPPER,
    });
    assert.equal(made.exitCode, 78);
  });
});
