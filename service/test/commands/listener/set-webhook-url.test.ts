import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { verifyWebhook } from '@payment-requests/sdk';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../../support/webhooks/https-listener.ts';
import { runCli } from '../run-cli.ts';

describe('payreq merchant set-webhook-url', () => {
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

  const payreq = (url: string, merchantId = merchant.merchantId) =>
    runCli(
      ['merchant', 'set-webhook-url', '--merchant', merchantId, '--webhook-url', url, '--json'],
      service.env,
    );
  async function pay(): Promise<void> {
    const payer = { name: 'depositSubmit:0', email: 'ada@example.com' };
    const created = await service.call('POST', '/v1/payment-requests', {
      headers: merchant.headers,
      body: { amount: 1, type: 'ECOMM', payer },
    });
    assert.equal(created.status, 201, created.text);
    await service.advance(1);
  }

  it('registers an endpoint with the merchant’s own listener credentials', async () => {
    const ran = await payreq(listener.url);
    const { merchantId } = merchant;
    assert.deepEqual(ran.json(), { merchantId, webhookUrl: listener.url, outcome: 'created' });
    await pay();
    const [webhook] = await listener.received(1);
    assert.ok(webhook);
    assert.ok(await verifyWebhook(webhook, merchant.listener));
    const [{ origins }] = (await service.database.sql(
      'SELECT webhook_origins AS origins FROM merchants WHERE id = $1',
      [merchantId],
    )) as [{ origins: string[] }];
    assert.deepEqual(origins, [new URL(listener.url).origin]);
  });

  it('leaves what is right as it is', async () => {
    assert.equal((await payreq(listener.url)).json().outcome, 'unchanged');
  });

  it('moves the endpoint with what it is owed, and keeps its credentials', async () => {
    listener.answerWith((_request, response) => response.writeHead(410).end());
    await pay();
    await listener.received(2);
    listener.answerWith((_request, response) => response.writeHead(204).end());
    const ran = await payreq(`${listener.url}/moved`);
    assert.equal(ran.json().outcome, 'moved');
    await service.advance(600);
    const webhooks = await listener.received(3);
    assert.deepEqual(
      webhooks.map(({ path }) => path),
      ['/webhooks', '/webhooks', '/webhooks/moved'],
    );
    assert.equal(webhooks[2]?.body, webhooks[1]?.body);
    const now = service.clock.now();
    assert.ok(webhooks[2] && (await verifyWebhook(webhooks[2], merchant.listener, { now })));
  });

  it('refuses an unknown merchant, and what is no HTTPS address', async () => {
    const unknown = await payreq(listener.url, 'mer_unknown');
    assert.equal(unknown.exitCode, 1);
    assert.match(unknown.stderr, /There is no merchant "mer_unknown"/);
    assert.equal((await payreq('http://localhost/webhooks')).exitCode, 1);
  });
});
