import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { findEnd } from '#database/restores/restore-store.ts';
import { findWebhookAttempts } from '#webhooks/deliveries/attempt-store.ts';
import { findDeliveryAttempts, queueAgain } from '#webhooks/deliveries/list-store.ts';
import { pruneWebhookEvents } from '#webhooks/events/prune-events.ts';
import { eventually } from '../support/eventually.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';
import {
  createWebhookDeliveries,
  type WebhookDeliveries,
} from '../support/webhooks/webhook-deliveries.ts';

const DAYS = 90;
const DAY_SECONDS = 86_400;

describe('a first attempt that succeeded', () => {
  let outbox: WebhookDeliveries;
  let listener: HttpsListener;
  let merchantId: string;
  before(async () => {
    outbox = await createWebhookDeliveries();
    listener = await startHttpsListener({ authority: outbox.authority });
    merchantId = (await outbox.addMerchant()).id;
  });
  after(async () => {
    await outbox?.close();
    await listener?.close();
  });
  beforeEach(async () => {
    await sql('DELETE FROM webhook_deliveries');
    await sql('DELETE FROM webhook_events');
    listener.answerWith((_request, response) => response.end('thank you'));
  });

  const sql = (text: string, values?: unknown[]) => outbox.database.sql(text, values);
  const rows = () =>
    sql('SELECT delivery_id, attempt, outcome FROM webhook_attempts ORDER BY attempt');

  const ended = (attempts: number, status = 'SUCCEEDED') =>
    eventually(async () => {
      const [delivery] = await outbox.deliveries();
      const isOver = delivery?.attempts === attempts && delivery.status === status;
      return isOver && delivery.lease_token === null && delivery.id;
    }, `a delivery that is ${status} after ${attempts} attempts`);

  /** Sends an event until its first attempt is recorded. */
  async function deliver(status = 'SUCCEEDED'): Promise<string> {
    const sender = outbox.startSender();
    await outbox.enqueue({ merchantId, webhookUrl: listener.url });
    sender.wake();
    const id = await ended(1, status);
    await sender.stop();
    return id;
  }

  async function deliverAgain(id: string, attempts: number, status: string): Promise<void> {
    await outbox.database.db.transaction((tx) => queueAgain(tx, id));
    const sender = outbox.startSender();
    sender.wake();
    await ended(attempts, status);
    await sender.stop();
  }

  it('stands in the row of its delivery, and in the log', async () => {
    const startedAfter = Date.now();
    const id = await deliver();
    assert.deepEqual(await rows(), []);
    const [attempt, ...others] = await findDeliveryAttempts(outbox.database.db, id, 100);
    assert.equal(others.length, 0);
    assert.ok(attempt);
    assert.deepEqual(
      [attempt.attempt, attempt.outcome, attempt.httpStatus, attempt.responseBody],
      [1, 'SUCCEEDED', 200, 'thank you'],
    );
    assert.ok(attempt.startedAt.getTime() >= startedAfter && attempt.startedAt <= new Date());
    const { durationMs, dnsMs, connectMs, tlsMs, firstByteMs } = attempt;
    for (const part of [durationMs, dnsMs, connectMs, tlsMs, firstByteMs]) {
      assert.equal(typeof part, 'number');
    }
    const [logged] = await outbox.attempts(id);
    assert.equal(logged?.address, '127.0.0.1');
  });

  it('stays in the log beside the attempts of a delivery that is sent again', async () => {
    const id = await deliver();
    listener.answerWith((_request, response) => response.writeHead(500).end());
    await deliverAgain(id, 2, 'PENDING');
    listener.answerWith((_request, response) => response.end());
    await deliverAgain(id, 3, 'SUCCEEDED');
    assert.deepEqual(
      (await rows()).map(({ attempt }) => attempt),
      [2, 3],
    );
    const log = await findDeliveryAttempts(outbox.database.db, id, 100);
    assert.deepEqual(
      log.map(({ attempt, outcome, responseBody }) => [attempt, outcome, responseBody]),
      [
        [1, 'SUCCEEDED', 'thank you'],
        [2, 'REFUSED_BY_LISTENER', null],
        [3, 'SUCCEEDED', null],
      ],
    );
    const latest = await findDeliveryAttempts(outbox.database.db, id, 2);
    assert.deepEqual(
      latest.map(({ attempt }) => attempt),
      [2, 3],
    );
  });

  it('differs from one that failed, which has a row as all that follow', async () => {
    listener.answerWith((_request, response) => response.writeHead(500).end());
    const id = await deliver('PENDING');
    listener.answerWith((_request, response) => response.end());
    await deliverAgain(id, 2, 'SUCCEEDED');
    assert.deepEqual(await rows(), [
      { delivery_id: id, attempt: 1, outcome: 'REFUSED_BY_LISTENER' },
      { delivery_id: id, attempt: 2, outcome: 'SUCCEEDED' },
    ]);
    assert.equal((await findDeliveryAttempts(outbox.database.db, id, 100)).length, 2);
  });

  it('goes after 90 days from a delivery that lives on, and not a second earlier', async () => {
    const id = await deliver();
    const events = 'SELECT FROM webhook_events';
    const age = async (seconds: number) => {
      await sql(`UPDATE webhook_events SET created_at = service_now() - interval '100 days'`);
      await sql(
        `UPDATE webhook_deliveries
         SET first_started_at = service_now() - make_interval(secs => $1)`,
        [seconds],
      );
      await pruneWebhookEvents(outbox.database.db, DAYS);
      assert.equal((await sql(events)).length, 1, 'the event lives on');
      return findDeliveryAttempts(outbox.database.db, id, 100);
    };
    // Another delivery of the event is still owed to a paused endpoint.
    const { id: endpointId } = await outbox.addEndpoint(merchantId, 'https://other.example/', {
      status: 'PAUSED',
    });
    await sql(
      `INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence,
                                       endpoint_id, url, destination)
       SELECT gen_random_uuid(), event_id, merchant_id, payment_request_id, sequence, $1::uuid,
              'https://other.example/', $1::text
       FROM webhook_deliveries WHERE id = $2`,
      [endpointId, id],
    );
    assert.equal((await age(DAYS * DAY_SECONDS - 1)).length, 1);
    assert.equal((await age(DAYS * DAY_SECONDS)).length, 0);
    const [delivery] = (await outbox.deliveries()).filter((row) => row.id === id);
    assert.deepEqual([delivery?.status, delivery?.attempts], ['SUCCEEDED', 1]);
    const kept = await sql(
      `SELECT key FROM webhook_deliveries d, jsonb_each(to_jsonb(d))
       WHERE key LIKE 'first\\_%' AND value <> 'null' OR value::text LIKE '%thank you%'`,
    );
    assert.deepEqual(kept, [], 'nothing of the attempt is kept');
    await sql('DELETE FROM webhook_deliveries');
    await sql('DELETE FROM webhook_endpoints WHERE id = $1', [endpointId]);
  });

  it('is an instant that a restored database knows', async () => {
    const id = await deliver();
    const latest = new Date('2033-04-05T06:07:08.009Z');
    await sql('UPDATE webhook_deliveries SET first_started_at = $1 WHERE id = $2', [latest, id]);
    assert.deepEqual(await findEnd(outbox.database.db), latest);
  });

  it('loses its answer with the body of its event', async () => {
    const id = await deliver();
    // The statement knows of no answer in this row.
    await sql(`UPDATE webhook_events SET body = '{}', erased_at = service_now()`);
    const [attempt] = await findDeliveryAttempts(outbox.database.db, id, 100);
    assert.deepEqual([attempt?.httpStatus, attempt?.responseBody], [200, null]);
  });

  it('is found by an index, in the timeline and in the log', async () => {
    const id = await deliver();
    const { db } = outbox.database;
    const [paymentRequestId = ''] = (await outbox.deliveries()).map(
      (row) => row.payment_request_id,
    );
    await addDeliveries(5_000);
    await db.transaction(async (tx) => {
      // The count holds earlier statements of the connection that it has not reported yet.
      const text = `SELECT seq_tup_read::int AS read FROM pg_stat_xact_user_tables
                    WHERE relname = 'webhook_deliveries'`;
      const before = await tx.query({ name: '', text });
      const asked = { paymentRequestId, rank: 3, after: null, limit: 20 };
      assert.equal((await findWebhookAttempts(tx, asked)).length, 1);
      assert.equal((await findDeliveryAttempts(tx, id, 100)).length, 1);
      assert.deepEqual(await tx.query({ name: '', text }), before);
    });
  });

  /** Other deliveries with a first attempt, and statistics that say so. */
  async function addDeliveries(count: number): Promise<void> {
    await sql(
      `INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 1, 'PAYMENT-FAILED', 'other'
       FROM generate_series(1, $2::int)`,
      [merchantId, count],
    );
    await sql(
      `INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence, url,
         destination, status, attempts, next_attempt_at, first_started_at, first_duration_ms)
       SELECT gen_random_uuid(), id, merchant_id, payment_request_id, 1, 'https://shop.example/',
              'x', 'SUCCEEDED', 1, NULL, service_now(), 3
       FROM webhook_events WHERE body = 'other'`,
    );
    await sql('ANALYZE webhook_events, webhook_deliveries');
  }
});
