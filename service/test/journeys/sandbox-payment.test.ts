import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type ListenerCredentials, verifyWebhook } from '@payment-requests/sdk';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../support/eventually.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';

let folder: string;
let listener: HttpsListener;
let service: TestService;
let merchant: TestMerchant;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payreq-test-'));
  listener = await startHttpsListener();
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, listener.caPem);
  service = await startTestService({
    // The libraries that verify compare with the real time.
    start: new Date(),
    settings: {
      WEBHOOK_CA_FILE: caFile,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
      WEBHOOK_ALLOW_PORTS: '*',
    },
  });
  merchant = await service.createMerchant();
});
after(async () => {
  await service?.stop();
  await listener?.close();
  await rm(folder, { recursive: true });
});

describe('the merchant-side flow against the sandbox', () => {
  it('ends with one PAID webhook 10 s after the creation, as the contract says it looks', async () => {
    const created = await service.call('POST', '/v1/payment-requests', {
      headers: merchant.headers,
      body: {
        amount: 25.5,
        type: 'ECOMM',
        payer: { name: 'depositSubmit', email: 'ada@example.com' },
        webhookUrl: listener.url,
      },
    });
    assert.equal(created.status, 201, created.text);
    const read = () =>
      service.call('GET', `/v1/payment-requests/${created.json.id}`, { headers: merchant.headers });

    await service.advance(9.9);
    assert.equal((await read()).json.status, 'CREATED');
    assert.equal(listener.requests.length, 0);

    await service.advance(0.6);
    const [webhook] = await listener.received(1);
    assert.ok(webhook);
    const now = await read();
    assert.equal(now.json.status, 'PAID');
    assert.deepEqual(
      now.json.events.map((event: { status: string }) => event.status),
      ['CREATED', 'PAID'],
    );

    assert.equal(webhook.method, 'POST');
    assert.equal(webhook.headers['content-type'], 'application/json');
    const { id, createdDateTime } = JSON.parse(webhook.body);
    assert.equal(
      webhook.body,
      `{"eventType":"PAYMENT-COMPLETED","message":"The payer completed the transaction.",` +
        `"resourceType":"Payment Requests API","resource":${now.text},"id":"${id}",` +
        `"createdDateTime":"${createdDateTime}","sequence":1}`,
    );
    assert.equal(webhook.headers['webhook-id'], id);

    const { username, password, signingSecret } = merchant.listener;
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    assert.equal(webhook.headers.authorization, `Basic ${basic}`);
    const headers = webhook.headers as Record<string, string>;
    assert.ok(new Webhook(signingSecret).verify(webhook.body, headers));
    const event = await verifyWebhook(webhook, merchant.listener);
    assert.equal(event.resource.id, created.json.id);
  });

  it('sends no acknowledged webhook again', async () => {
    // A jump of the clock over an attempt that is not recorded yet would look like a dead sender.
    await eventually(async () => {
      const open = await service.database.sql(
        "SELECT FROM webhook_deliveries WHERE status = 'PENDING'",
      );
      return open.length === 0;
    });
    const deliveries = await service.database.sql(
      'SELECT status, attempts, next_attempt_at FROM webhook_deliveries',
    );
    assert.deepEqual(deliveries, [{ status: 'SUCCEEDED', attempts: 1, next_attempt_at: null }]);
    await service.advance(120);
    assert.equal(listener.requests.length, 1);
  });

  it('reaches the default endpoint of the onboarding as well, each address once', async () => {
    const second = await service.createMerchant({ webhookUrl: `${listener.url}/default` });
    const count = listener.requests.length;
    const created = await service.call('POST', '/v1/payment-requests', {
      headers: second.headers,
      body: {
        amount: 1,
        type: 'ECOMM',
        payer: { name: 'depositDecline', mobileNumber: '4165550199' },
        callbackUrl: `${listener.url}/own`,
      },
    });
    assert.equal(created.status, 201, created.text);
    await service.advance(11);
    const received = (await listener.received(count + 2)).slice(count);
    assert.deepEqual(received.map((webhook) => webhook.path).sort(), [
      '/webhooks/default',
      '/webhooks/own',
    ]);
    for (const webhook of received) {
      const event = await verifyWebhook(webhook, second.listener);
      assert.equal(event.eventType, 'PAYMENT-FAILED');
      assert.equal(event.resource.status, 'FAILED');
      assert.equal(event.message, 'The payer declined the payment request.');
    }
  });

  it('leaves no payer data and no secret in the log', async () => {
    await eventually(() => service.logLines.some((line) => line.msg === 'payment request moved'));
    const log = service.logLines.map((line) => JSON.stringify(line)).join('\n');
    const { username, password, signingSecret } = merchant.listener as ListenerCredentials;
    for (const secret of [
      merchant.password,
      merchant.apiKey,
      merchant.token,
      password,
      String(signingSecret),
      'ada@example.com',
      '4165550199',
    ]) {
      assert.ok(!log.includes(secret), `${secret.slice(0, 6)}… is in the log`);
    }
    assert.ok(username);
  });
});

describe('the SDK’s verification', () => {
  it('refuses a changed body, an old one, and other credentials', async () => {
    const [webhook] = listener.requests;
    assert.ok(webhook);
    const good = merchant.listener;
    const rejects = (
      changed: Partial<typeof webhook>,
      code: string,
      credentials: ListenerCredentials = good,
      now = new Date(),
    ) => assert.rejects(verifyWebhook({ ...webhook, ...changed }, credentials, { now }), { code });
    const { headers } = webhook;
    await rejects({ body: webhook.body.replace('PAID', 'paid') }, 'SIGNATURE_WRONG');
    await rejects({ headers: { ...headers, 'webhook-id': 'other' } }, 'SIGNATURE_WRONG');
    await rejects({ headers: { ...headers, 'webhook-signature': 'v1,AAAA' } }, 'SIGNATURE_WRONG');
    await rejects({ headers: { ...headers, 'webhook-signature': '' } }, 'SIGNATURE_MISSING');
    await rejects({ headers: { ...headers, authorization: '' } }, 'CREDENTIALS_MISSING');
    await rejects({}, 'CREDENTIALS_WRONG', { ...good, password: 'other' });
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
    await rejects({}, 'SIGNATURE_WRONG', { ...good, signingSecret: other });
    const later = new Date(Date.now() + 400_000);
    await rejects({}, 'TIMESTAMP_OUT_OF_TOLERANCE', good, later);
    const rotated = { ...good, signingSecret: [other, String(good.signingSecret)] };
    assert.ok(await verifyWebhook(webhook, rotated));
  });
});
