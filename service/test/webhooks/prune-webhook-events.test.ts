import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { pruneWebhookEvents } from '#webhooks/events/prune-events.ts';
import {
  createWebhookDeliveries,
  type WebhookDeliveries,
} from '../support/webhooks/webhook-deliveries.ts';

const DAYS = 90;
const DAY_SECONDS = 86_400;

describe('events, deliveries and attempts that are kept long enough', () => {
  let outbox: WebhookDeliveries;
  let merchantId: string;
  before(async () => {
    outbox = await createWebhookDeliveries();
    merchantId = (await outbox.addMerchant()).id;
  });
  after(() => outbox?.close());
  beforeEach(async () => {
    await sql('DELETE FROM webhook_deliveries');
    await sql('DELETE FROM webhook_events');
  });

  const sql = (text: string, values?: unknown[]) => outbox.database.sql(text, values);
  const prune = () => pruneWebhookEvents(outbox.database.db, DAYS);

  /** An event of that age with one delivery and one attempt of the same age. */
  async function addEvent(ageSeconds: number, status = 'SUCCEEDED'): Promise<string> {
    const paymentRequestId = await outbox.enqueue({
      merchantId,
      webhookUrl: 'https://shop.example/hook',
    });
    const about = [paymentRequestId, ageSeconds];
    await sql(
      `UPDATE webhook_events SET created_at = service_now() - make_interval(secs => $2)
       WHERE payment_request_id = $1`,
      about,
    );
    await sql(
      `UPDATE webhook_deliveries SET status = $2, attempts = 1,
         next_attempt_at = CASE WHEN $2 = 'PENDING' THEN service_now() END
       WHERE payment_request_id = $1`,
      [paymentRequestId, status],
    );
    await sql(
      `INSERT INTO webhook_attempts (delivery_id, attempt, started_at, duration_ms, outcome)
       SELECT id, 1, service_now() - make_interval(secs => $2), 5, 'SUCCEEDED'
       FROM webhook_deliveries WHERE payment_request_id = $1`,
      about,
    );
    return paymentRequestId;
  }
  async function counts(paymentRequestId: string) {
    const [row] = await sql(
      `SELECT count(DISTINCT e.id)::int AS events, count(DISTINCT d.id)::int AS deliveries,
              count(a.*)::int AS attempts
       FROM webhook_events e LEFT JOIN webhook_deliveries d ON d.event_id = e.id
       LEFT JOIN webhook_attempts a ON a.delivery_id = d.id WHERE e.payment_request_id = $1`,
      [paymentRequestId],
    );
    return row;
  }

  it('go when they are 90 days old, and not a second earlier', async () => {
    const old = await addEvent(DAYS * DAY_SECONDS);
    const young = await addEvent(DAYS * DAY_SECONDS - 1);
    assert.equal(await prune(), false);
    assert.deepEqual(await counts(old), { events: 0, deliveries: 0, attempts: 0 });
    assert.deepEqual(await counts(young), { events: 1, deliveries: 1, attempts: 1 });
  });

  it('go without a delivery, too, and when the delivery was given up', async () => {
    const bare = await addEvent(DAYS * DAY_SECONDS);
    await sql('DELETE FROM webhook_deliveries WHERE payment_request_id = $1', [bare]);
    const exhausted = await addEvent(DAYS * DAY_SECONDS, 'EXHAUSTED');
    await prune();
    assert.equal((await counts(bare))?.events, 0);
    assert.equal((await counts(exhausted))?.events, 0);
  });

  it('stay while a delivery is still owed, but for its old attempts', async () => {
    const owed = await addEvent(200 * DAY_SECONDS, 'PENDING');
    await prune();
    assert.deepEqual(await counts(owed), { events: 1, deliveries: 1, attempts: 0 });
  });

  it('go in small batches, the oldest first', async () => {
    for (let day = 0; day < 3; day += 1) await addEvent((DAYS + day) * DAY_SECONDS);
    await sql(
      `INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body,
                                   created_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 1, 'PAYMENT-FAILED', '{}',
              service_now() - interval '95 days' FROM generate_series(1, 300)`,
      [merchantId],
    );
    assert.equal(await prune(), true);
    const [row] = await sql(
      'SELECT count(*)::int AS count, count(*) FILTER (WHERE body = $1)::int AS made FROM webhook_events',
      ['{}'],
    );
    assert.deepEqual(row, { count: 103, made: 100 });
    assert.equal(await prune(), false);
    assert.equal((await sql('SELECT FROM webhook_events')).length, 0);
  });

  it('are not waited for when somebody holds them, and a delivery sent again stays', async () => {
    const held = await addEvent(DAYS * DAY_SECONDS);
    const free = await addEvent(DAYS * DAY_SECONDS);
    await outbox.database.db.transaction(async (tx) => {
      await tx.query({
        name: '',
        text: `UPDATE webhook_deliveries SET status = 'PENDING', next_attempt_at = service_now()
               WHERE payment_request_id = '${held}'`,
      });
      await prune();
    });
    assert.equal((await counts(free))?.events, 0);
    assert.deepEqual(await counts(held), { events: 1, deliveries: 1, attempts: 0 });
    await prune();
    assert.equal((await counts(held))?.events, 1);
  });

  it('are pruned by several processes at once', async () => {
    await sql(
      `INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body,
                                   created_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 1, 'PAYMENT-FAILED', '{}',
              service_now() - interval '95 days' FROM generate_series(1, 1000)`,
      [merchantId],
    );
    const young = await addEvent(0);
    const pruneAll = async () => {
      while (await prune());
    };
    await Promise.all([pruneAll(), pruneAll(), pruneAll()]);
    while (await prune());
    assert.equal((await sql('SELECT FROM webhook_events')).length, 1);
    assert.equal((await counts(young))?.events, 1);
  });
});
