import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { request as send } from 'node:http';
import { resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { settingsOf } from '../support/service/service.ts';
import { type SpawnedService, spawnService } from '../support/service/spawned-service.ts';

const SCRIPTS = new URL('../../../scripts/sandbox/', import.meta.url);
const script = (name: string) => fileURLToPath(new URL(name, SCRIPTS));
const { passedEnvironment } = await import(new URL('passed-environment.mjs', SCRIPTS).href);

/** It ends within a second; a program that starts the sandbox instead must end the test. */
const WITHIN_TIME = { encoding: 'utf8', timeout: 60_000 } as const;

let database: TestDatabase;
let service: SpawnedService;
let url: string;

before(async () => {
  database = await createTestDatabase('sandbox');
  const command = [process.execPath, '--', script('serve-sandbox.mjs')];
  service = spawnService({ command, env: settingsOf('sandbox', database.url) });
  ({ url } = await service.started());
});
after(async () => {
  service?.child.kill('SIGTERM');
  await service?.ended();
  await database?.drop();
});

interface Answer {
  readonly status: number | undefined;
  readonly json: {
    readonly status: number;
    readonly detail: string;
    readonly merchantId?: string;
    readonly errors?: readonly { readonly field: string }[];
  };
}

/** fetch sends no Origin header that a test gives. */
async function make(body: object, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  const call = send(`${url}/v1/sandbox/merchants`, options, async (response) => {
    const text = (await response.setEncoding('utf8').toArray()).join('');
    resolve({ status: response.statusCode, json: JSON.parse(text) });
  });
  call.on('error', reject).end(JSON.stringify(body));
  return promise;
}

describe('the sandbox of a package for test runs', () => {
  it('makes merchants, with a name or without', async () => {
    const [one, other] = [await make({}), await make({ name: 'Worker 1' })];
    assert.deepEqual([one.status, other.status], [201, 201]);
    assert.notEqual(one.json.merchantId, other.json.merchantId);
  });

  it('refuses a page of a browser, and a request under another host’s name', async () => {
    for (const origin of ['https://evil.example', 'null', url]) {
      const { status, json } = await make({}, { origin });
      assert.deepEqual([status, json.status], [403, 403]);
      assert.match(json.detail, /Origin/);
    }
    assert.equal((await make({}, { host: 'evil.example' })).status, 404);
  });

  it('refuses a name that no merchant can have', async () => {
    for (const name of ['', 'x'.repeat(101), 'a\nb', 7, null]) {
      const { status, json } = await make({ name });
      assert.deepEqual([status, json.errors?.[0]?.field], [400, 'name'], JSON.stringify(name));
    }
  });

  it('says which Node.js it needs', () => {
    const older = 'Object.defineProperty(process,"versions",{value:{node:"20.20.2"}})';
    const command = ['--import', `data:text/javascript,${older}`, script('sandbox.mjs'), '--help'];
    const { status, stderr } = spawnSync(process.execPath, command, WITHIN_TIME);
    assert.equal(status, 1);
    assert.match(stderr, /^payment-requests-sandbox: Node\.js 24\.12 or newer .* 20\.20\.2\.\n$/);
  });

  it('gets no setting that leads outside', () => {
    const given = { CURRENCY: 'EUR', PATH: '/bin' };
    const kept = passedEnvironment({
      ...given,
      DATABASE_REPLICA_URL: 'postgres://replica/',
      MAIL_SMTP_URL: 'smtp://mail/',
      MAIL_SANDBOX_RECIPIENTS: '*',
      FAILPOINT: 'webhook-answered',
      RUNTIME_ROLE: 'someone',
    });
    assert.deepEqual(kept, given);
  });

  it('finds a certificate by its path from the folder of the shop', () => {
    const { WEBHOOK_CA_FILE } = passedEnvironment({ WEBHOOK_CA_FILE: 'certs/ca.pem' });
    assert.equal(WEBHOOK_CA_FILE, resolve('certs/ca.pem'));
  });

  it('says how it is used where an option does not exist', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [script('sandbox.mjs'), '--prot', '1'],
      WITHIN_TIME,
    );
    assert.notEqual(status, 0);
    assert.match(stderr, /'--prot'.*\nUsage: payment-requests-sandbox \[--port N\]/);
    assert.doesNotMatch(stderr, /^ +at /m);
  });
});
