import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import type { TestMerchant } from '../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';
import { startWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts';

let service: WebhookService;
let listener: HttpsListener;
let merchant: TestMerchant;
let status: number;

before(async () => {
  service = await startWebhookService({});
});
after(() => service?.stop());
beforeEach(async () => {
  merchant = await service.createMerchant();
  status = 500;
  listener = await startHttpsListener({
    authority: service.authority,
    answering: (_request, response) => response.writeHead(status).end(),
  });
});
afterEach(() => listener.close());

async function call(method: string, path: string, body?: unknown, by = merchant) {
  const answer = await service.call(method, `/v1${path}`, {
    headers: by.headers,
    ...(body !== undefined && { body }),
  });
  assert.ok(answer.status < 300, answer.text);
  return answer.json;
}

async function pay(extra: object = {}, by = merchant): Promise<void> {
  const payer = { name: 'Ada', email: 'ada@example.com' };
  const body = { amount: 10, type: 'ECOMM', payer, ...extra };
  const { id } = await call('POST', '/payment-requests', body, by);
  await call('POST', `/sandbox/payment-requests/${id}/simulations`, { outcome: 'PAID' }, by);
}

/** Whether the breaker of the merchant's only destination is open. */
async function isHeld(): Promise<boolean> {
  const rows = await service.database.sql(
    `SELECT FROM webhook_destinations JOIN webhook_deliveries USING (destination)
     WHERE merchant_id = $1 AND opened_at IS NOT NULL`,
    [merchant.merchantId],
  );
  return rows.length > 0;
}

/** Waits until a later webhook of another merchant has come, and every attempt is recorded. */
async function untilClaimed(): Promise<void> {
  const other = await startHttpsListener({ authority: service.authority });
  await pay({ webhookUrl: other.url }, await service.createMerchant());
  await service.advance(0);
  await other.received(1);
  await eventually(async () => {
    const leased = await service.database.sql(
      'SELECT FROM webhook_deliveries WHERE lease_token IS NOT NULL',
    );
    return leased.length === 0;
  }, 'the end of every lease');
  await other.close();
}

/**
 * Waits until so many webhooks have come, and every attempt is recorded: time that leaps would let
 * an exchange under way time out.
 */
async function untilAnswered(requests: number): Promise<void> {
  await listener.received(requests);
  await untilClaimed();
}

/** Ten payments whose webhooks fail, so that what comes next is held. */
async function failTenTimes(extra: object = {}): Promise<void> {
  for (let n = 0; n < 10; n += 1) await pay(extra);
  await eventually(isHeld);
  await pay(extra);
  await untilClaimed();
  assert.equal(listener.requests.length, 10, 'the eleventh is held');
  status = 200;
}

const pending = async () => (await call('GET', '/webhook-deliveries?status=PENDING')).data.length;

/** A delivery that failed once comes again after 5 s, and a tenth more at most. */
const RETRIED_SECONDS = 6;

describe('the deliveries of a listener that failed ten times in a row', () => {
  let endpointId: string;

  async function registerAndFail() {
    endpointId = (await call('POST', '/webhook-endpoints', { url: listener.url })).id;
    await failTenTimes();
  }

  it('flows when the endpoint is tested, and the test comes at once', async () => {
    await registerAndFail();
    await call('POST', `/webhook-endpoints/${endpointId}/test`);
    await untilAnswered(12);
    assert.ok(listener.requests.some(({ body }) => JSON.parse(body).test === true));
    await service.advance(RETRIED_SECONDS);
    await eventually(async () => (await pending()) === 0);
  });

  it('flows when the endpoint is paused and resumed', async () => {
    await registerAndFail();
    await call('PATCH', `/webhook-endpoints/${endpointId}`, { status: 'PAUSED' });
    await call('POST', `/webhook-endpoints/${endpointId}/resume`);
    await untilAnswered(11);
    await service.advance(RETRIED_SECONDS);
    await eventually(async () => (await pending()) === 0);
  });

  it('flows when a delivery is asked for again, also without an endpoint', async () => {
    await failTenTimes({ webhookUrl: listener.url });
    const { data } = await call('GET', '/webhook-deliveries?status=PENDING');
    for (const { nextAttemptDateTime } of data) {
      const waitMs = Date.parse(nextAttemptDateTime) - service.clock.now().getTime();
      assert.equal(waitMs, 60_000, 'not before the next probe');
    }
    await call('POST', `/webhook-deliveries/${data.at(-1).id}/redeliver`);
    await untilAnswered(12);
    await service.advance(RETRIED_SECONDS);
    await eventually(async () => (await pending()) === 0);
  });

  it('comes when its five days are over and the endpoint that was paused is resumed', async () => {
    await registerAndFail();
    status = 500;
    await service.database.sql(
      `UPDATE webhook_destinations SET opened_at = opened_at - interval '5 days'`,
    );
    await service.advance(60);
    const endpoint = await eventually(async () => {
      const read = await call('GET', `/webhook-endpoints/${endpointId}`);
      return read.status === 'PAUSED' && read;
    });
    assert.match(JSON.stringify(endpoint), /FAILING/);
    status = 200;
    await call('POST', `/webhook-endpoints/${endpointId}/resume`);
    // The first ten, the probe, and all but the delivery that was the probe.
    await untilAnswered(21);
    await service.advance(60);
    await eventually(async () => (await pending()) === 0);
  });
});
