import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { enqueueWebhookEvents, notifySenders } from '#webhooks/events/outbox.ts';
import { EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { eventually } from '../../support/eventually.ts';
import type { TestMerchant } from '../../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../../support/webhooks/https-listener.ts';
import {
  startWebhookService,
  type WebhookService,
} from '../../support/webhooks/webhook-service.ts';

const FROM = '2026-03-01T00:00:00Z';
const [COMPLETED, FAILED, RETURNED, REFUNDED, REFUND_FAILED, UNDELIVERED] = [1, 2, 3, 4, 5, 6];

let service: WebhookService;
let listener: HttpsListener;
let merchant: TestMerchant;
let paymentRequestId: string;

before(async () => {
  service = await startWebhookService({
    settings: { WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,5,30,300' },
  });
});
after(() => service?.stop());
beforeEach(async () => {
  merchant = await service.createMerchant();
  listener = await startHttpsListener({ authority: service.authority });
  paymentRequestId = randomUUID();
});
afterEach(() => listener.close());

function call(method: string, path: string, body?: unknown) {
  const { headers } = merchant;
  return service.call(method, `/v1${path}`, { headers, ...(body !== undefined && { body }) });
}

async function register(eventTypes?: readonly string[]): Promise<string> {
  const answer = await call('POST', '/webhook-endpoints', { url: listener.url, eventTypes });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.id;
}

/** Commits an event of every type of one payment request; its number tells the type. */
async function commitAll(): Promise<void> {
  const events = EVENT_TYPES.map((eventType, index) => ({
    merchantId: merchant.merchantId,
    paymentRequestId,
    sequence: index + 1,
    eventType,
    message: 'An event.',
    resource: JSON.stringify({ id: randomUUID(), paymentRequestId, amount: 1, status: 'PAID' }),
    webhookUrl: null,
    createdAt: service.clock.now(),
  }));
  const { db } = service.database;
  for (const event of events) await db.transaction((tx) => enqueueWebhookEvents(tx, [event]));
  await notifySenders(db);
}

const numbers = () => listener.requests.map(({ body }) => JSON.parse(body).sequence);

/** Waits until so many deliveries are recorded as sent. */
const sent = (count: number) =>
  eventually(async () => {
    const { json } = await call('GET', '/webhook-deliveries?status=SUCCEEDED');
    return json.data.length === count && json.data;
  }, `${count} deliveries that SUCCEEDED`);

describe('a replay of all types of events', () => {
  for (const [eventTypes, expected] of [
    [undefined, [COMPLETED, FAILED]],
    [
      ['PAYMENT-RETURNED', 'REFUND-FAILED'],
      [RETURNED, REFUND_FAILED],
    ],
    [['*'], [COMPLETED, FAILED, RETURNED, REFUNDED, REFUND_FAILED, UNDELIVERED]],
  ] as const) {
    it(`sends those of ${eventTypes ?? 'an endpoint without a choice'}, in order`, async () => {
      await commitAll();
      await service.advance(1);
      const endpointId = await register(eventTypes);
      const body = { from: FROM, only: 'all' };
      const { json } = await call('POST', `/webhook-endpoints/${endpointId}/replay`, body);
      const { progress } = await eventually(async () => {
        const replay = await call('GET', `/webhook-endpoints/${endpointId}/replays/${json.id}`);
        const isOver = replay.json.status === 'COMPLETED' && replay.json.progress.pending === 0;
        return isOver && replay.json;
      }, 'the end of the replay');
      assert.equal(progress.queued, expected.length);
      assert.deepEqual(numbers(), expected);
    });
  }

  it('sends each type again when its delivery is asked for, with its id and bytes', async () => {
    await register(['*']);
    await commitAll();
    const deliveries = await sent(EVENT_TYPES.length);
    for (const { id, eventType } of deliveries) {
      const before = listener.requests.length;
      assert.equal((await call('POST', `/webhook-deliveries/${id}/redeliver`)).status, 202);
      await listener.received(before + 1);
      const again = listener.requests.at(-1);
      const first = listener.requests.find(({ body }) => JSON.parse(body).eventType === eventType);
      assert.equal(again?.body, first?.body);
      assert.equal(again?.headers['webhook-id'], first?.headers['webhook-id']);
      await sent(EVENT_TYPES.length);
    }
  });
});

describe('the order of a listener that chooses types', () => {
  it('sends no returned money before the payment was taken', async () => {
    await register(['PAYMENT-COMPLETED', 'PAYMENT-RETURNED']);
    let isUp = false;
    listener.answerWith((_request, response) => response.writeHead(isUp ? 200 : 500).end());
    await commitAll();
    await recorded(1);
    // The schedule’s 5 s and 30 s, with their jitter.
    await service.advance(10);
    await recorded(2);
    isUp = true;
    await service.advance(44);
    await sent(2);
    assert.deepEqual(numbers(), [COMPLETED, COMPLETED, COMPLETED, RETURNED]);
  });
});

/** Waits until so many attempts to send the payment are recorded. */
const recorded = (count: number) =>
  eventually(async () => {
    const [first] = await service.database.sql<{ attempts: number; lease_token: string | null }>(
      `SELECT attempts, lease_token FROM webhook_deliveries
       WHERE payment_request_id = $1 AND sequence = 1`,
      [paymentRequestId],
    );
    return first?.attempts === count && first.lease_token === null;
  }, `${count} recorded attempts`);
