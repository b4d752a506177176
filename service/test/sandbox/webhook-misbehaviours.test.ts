import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { runCli } from '../commands/run-cli.ts';
import { eventually } from '../support/eventually.ts';
import { paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import {
  createTestAuthority,
  type HttpsListener,
  type ReceivedWebhook,
  startHttpsListener,
  type TestAuthority,
} from '../support/webhooks/https-listener.ts';
import { untilFed } from '../support/webhooks/until-fed.ts';

describe('webhooks that misbehave (contract §8)', () => {
  let authority: TestAuthority;
  let folder: string;
  let service: TestService;
  let merchant: TestMerchant;
  let listener: HttpsListener;

  before(async () => {
    authority = await createTestAuthority();
    folder = mkdtempSync(join(tmpdir(), 'payreq-'));
    writeFileSync(join(folder, 'ca.pem'), authority.caPem);
    service = await startTestService({
      settings: {
        WEBHOOK_CA_FILE: join(folder, 'ca.pem'),
        WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
        WEBHOOK_ALLOW_PORTS: '*',
      },
    });
  });
  after(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    merchant = await service.createMerchant();
    listener = await startHttpsListener({ authority });
  });
  afterEach(() => listener.close());

  async function pay(payerName: string): Promise<string> {
    const { create } = paymentRequestCalls(service, merchant);
    const { id } = (
      await create({
        payer: { name: payerName, email: 'ada@example.com' },
        webhookUrl: listener.url,
      })
    ).json;
    await service.advance(11);
    return id;
  }
  function isSignedRightly({ body, headers }: ReceivedWebhook): boolean {
    try {
      // The service signs with its own clock, which stands still; only the signature is asked for.
      const webhook = new Webhook(merchant.listener.signingSecret);
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      const expected = webhook.sign(headers['webhook-id'] as string, at, body);
      return headers['webhook-signature'] === expected;
    } catch {
      return false;
    }
  }
  const deliveriesOf = (id: string) =>
    service.database.sql<{ status: string; attempts: number }>(
      'SELECT status, attempts FROM webhook_deliveries WHERE payment_request_id = $1',
      [id],
    );
  async function settled(id: string, status: string, attempts: number): Promise<void> {
    await eventually(async () => {
      assert.deepEqual(await deliveriesOf(id), [{ status, attempts }]);
      return true;
    });
  }

  it('depositDuplicate sends the same webhook twice, though it was acknowledged', async () => {
    const id = await pay('depositDuplicate');
    const [first, second] = await listener.received(2);
    assert.ok(first && second);
    assert.equal(first.headers['webhook-id'], second.headers['webhook-id']);
    assert.equal(first.body, second.body);
    assert.ok(isSignedRightly(first) && isSignedRightly(second));
    await settled(id, 'SUCCEEDED', 2);
    await service.advance(100_000);
    assert.equal(listener.requests.length, 2);
  });

  it('depositDuplicate is sent twice also where the first attempts fail', async () => {
    listener.answerWith((_request, response) => response.writeHead(500).end());
    const id = await pay('depositDuplicate');
    await listener.received(1);
    await settled(id, 'PENDING', 1);
    listener.answerWith((_request, response) => response.end());
    await service.advance(6);
    await listener.received(3);
    await settled(id, 'SUCCEEDED', 3);
  });

  it('depositBadSignature comes with a wrong signature, then rightly', async () => {
    listener.answerWith((request, response) =>
      response.writeHead(isSignedRightly(request) ? 204 : 401).end(),
    );
    const id = await pay('depositBadSignature');
    const [wrong] = await listener.received(1);
    assert.ok(wrong && !isSignedRightly(wrong));
    assert.match(wrong.headers['webhook-signature'] as string, /^v1,[\w+/]{43}=$/);
    await settled(id, 'PENDING', 1);
    await service.advance(6);
    const [, right] = await listener.received(2);
    assert.ok(right && isSignedRightly(right));
    assert.equal(right.headers.authorization, wrong.headers.authorization);
    assert.equal(right.body, wrong.body);
    await settled(id, 'SUCCEEDED', 2);
  });

  it('depositBadSignature comes rightly also to a listener that took the wrong one', async () => {
    const id = await pay('depositBadSignature');
    const requests = await listener.received(2);
    assert.deepEqual(requests.map(isSignedRightly), [false, true]);
    await settled(id, 'SUCCEEDED', 2);
  });

  it('depositNoWebhook has its event in the feed and no delivery, and doctor is fine', async () => {
    const id = await pay('depositNoWebhook');
    await untilFed(service, merchant.headers, id);
    const { json } = await service.call('GET', '/v1/events', { headers: merchant.headers });
    assert.deepEqual(
      json.data.map((event: { resource: object }) => event.resource),
      [(await paymentRequestCalls(service, merchant).read(id)).json],
    );
    assert.equal(json.data[0].resource.status, 'PAID');
    assert.deepEqual(await deliveriesOf(id), []);
    const { stdout } = await runCli(['doctor', '--json'], service.env);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean }[] };
    for (const name of ['outbox', 'deliveries', 'leases']) {
      assert.ok(checks.find((check) => check.name === name)?.ok, name);
    }
  });
});

describe('these names in production', () => {
  it('are names', async () => {
    const service = await startTestService({ environment: 'production' });
    try {
      const merchant = await service.createMerchant();
      const { create, cancel } = paymentRequestCalls(service, merchant);
      for (const name of ['depositDuplicate', 'depositBadSignature', 'depositNoWebhook']) {
        const { id } = (await create({ payer: { name, email: 'ada@example.com' } })).json;
        assert.equal((await cancel(id)).status, 200);
      }
      const rows = await service.database.sql('SELECT DISTINCT misbehaviour FROM webhook_events');
      assert.deepEqual(rows, [{ misbehaviour: null }]);
    } finally {
      await service.stop();
    }
  });
});
