import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { verifyWebhook } from '@payment-requests/sdk';
import { systemClock } from '#lib/clock.ts';
import { rotatingKey } from '#lib/secret-key.ts';
import { onboardMerchant } from '#merchants/onboard-merchant.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { buyToken, callAt, settingsOf } from '../support/service/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service/service-process.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';

let folder: string;
let database: TestDatabase;
let listener: HttpsListener;
let settings: Record<string, string>;
const started: ServiceProcess[] = [];

async function start(): Promise<ServiceProcess> {
  const service = await startServiceProcess(settings);
  started.push(service);
  return service;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payreq-test-'));
  listener = await startHttpsListener();
  database = await createTestDatabase('sandbox');
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, listener.caPem);
  settings = {
    ...settingsOf('sandbox', database.url),
    WEBHOOK_CA_FILE: caFile,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
    WEBHOOK_ALLOW_PORTS: '*',
  };
});
after(async () => {
  await Promise.all(started.map((service) => service.kill('SIGKILL')));
  await database?.drop();
  await listener?.close();
  await rm(folder, { recursive: true });
});

describe('a service killed with SIGKILL between the creation and the webhook', () => {
  it('sends the webhook after its restart, and has lost no status', async () => {
    const merchant = await onboardMerchant(
      {
        db: database.db,
        clock: systemClock,
        environment: 'sandbox',
        cell: 1,
        credentialsPepper: rotatingKey(settings.CREDENTIALS_PEPPER ?? ''),
        secretsKey: rotatingKey(settings.SECRETS_KEY ?? ''),
        checkWebhookUrl: async () => ({ allowed: true }),
        actor: 'test',
      },
      { name: 'Demo Shop', webhookUrl: null, webhookOrigins: [] },
    );
    let service = await start();
    const headers = await authorize(service, merchant);
    const created = await Promise.all(
      ['depositSubmit:1', 'depositDecline', 'depositSubmit:1'].map((name) =>
        callAt(`${service.url}/v1/payment-requests`, 'POST', {
          headers,
          body: {
            amount: 1,
            type: 'ECOMM',
            payer: { name, email: 'ada@example.com' },
            webhookUrl: listener.url,
          },
        }),
      ),
    );
    for (const { status, text } of created) assert.equal(status, 201, text);
    // depositDecline has no parameter: its time is brought forward instead of being waited for.
    await database.sql("UPDATE sandbox_steps SET due_at = now() + interval '1 s'");
    await service.kill('SIGKILL');
    assert.equal(listener.requests.length, 0);
    await eventually(async () => {
      const due = await database.sql('SELECT FROM sandbox_steps WHERE due_at > now()');
      return due.length === 0;
    });

    service = await start();
    try {
      const webhooks = await listener.received(3);
      const events = await Promise.all(
        webhooks.map((webhook) => verifyWebhook(webhook, merchant.listener)),
      );
      const told = Object.fromEntries(
        events.map((event) => [event.resource.id, event.resource.status]),
      );
      const expected = created.map(({ json }, index) => [json.id, index === 1 ? 'FAILED' : 'PAID']);
      assert.deepEqual(told, Object.fromEntries(expected));
      for (const [id, status] of expected) {
        const read = await callAt(`${service.url}/v1/payment-requests/${id}`, 'GET', { headers });
        assert.equal(read.json.status, status);
      }
    } finally {
      assert.equal(await service.kill('SIGTERM'), 0);
    }
  });
});

async function authorize(
  service: ServiceProcess,
  merchant: { username: string; password: string; apiKey: string },
) {
  const call: Parameters<typeof buyToken>[0] = (method, path, options = {}) =>
    callAt(service.url + path, method, options);
  const token = await buyToken(call, merchant);
  return { 'x-api-key': merchant.apiKey, authorization: `Bearer ${token}` };
}
