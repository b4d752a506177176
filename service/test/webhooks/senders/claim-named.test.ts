import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { connectDatabase } from '#database/database.ts';
import { claimDeliveries } from '#webhooks/sending/claim-store.ts';
import { type ClaimLimits, DeliverySlots } from '#webhooks/sending/concurrency-limits.ts';
import {
  createWebhookDeliveries,
  type WebhookDeliveries,
} from '../../support/webhooks/webhook-deliveries.ts';

const QUEUES = 500;

let outbox: WebhookDeliveries;
let merchantId: string;
let origin: string;

before(async () => {
  outbox = await createWebhookDeliveries();
});
beforeEach(async () => {
  await outbox.database.sql('TRUNCATE webhook_events, webhook_destinations CASCADE');
  merchantId = (await outbox.addMerchant()).id;
  origin = `${merchantId} https://a.example`;
});
after(() => outbox.close());

const sql = (text: string, values?: unknown[]) => outbox.database.sql(text, values);
const limitsOf = (rest: Partial<ClaimLimits>): ClaimLimits => {
  const limits = new DeliverySlots().limitsForNamed();
  assert.ok(limits);
  return { ...limits, ...rest };
};
const claim = (
  named: readonly string[],
  limits: Partial<ClaimLimits> = {},
  db = outbox.database.db,
) => claimDeliveries(db, randomUUID(), 45, limitsOf(limits), named);
const enqueue = (path: string, rest = {}) =>
  outbox.enqueue({ merchantId, webhookUrl: `https://a.example/${path}`, ...rest });
const release = () => sql('UPDATE webhook_deliveries SET lease_token = NULL, leased_until = NULL');

describe('a claim of named payment requests', () => {
  it('leases their deliveries as any claim does, and no other', async () => {
    const [one, two] = [await enqueue('1'), await enqueue('2')];
    await enqueue('3');
    const named = await claim([one, two, randomUUID()]);
    assert.deepEqual(named.map((each) => each.paymentRequestId).toSorted(), [one, two].toSorted());
    assert.deepEqual(await claim([one, two]), []);
    await release();
    const all = await claimDeliveries(outbox.database.db, randomUUID(), 45, limitsOf({}));
    const withoutLease = ({ leaseToken: _, ...rest }: (typeof all)[number]) => rest;
    for (const each of named) {
      const same = all.find(({ id }) => id === each.id);
      assert.ok(same);
      assert.deepEqual(withoutLease(each), withoutLease(same));
    }
  });

  it('leases one delivery for each endpoint, at its present URL', async () => {
    const { id } = await outbox.addEndpoint(merchantId, 'https://b.example/old');
    const named = await enqueue('1');
    await sql(`UPDATE webhook_endpoints SET url = 'https://c.example/new' WHERE id = $1`, [id]);
    const claimed = await claim([named]);
    assert.deepEqual(
      new Set(claimed.map(({ url, destination, origin: at }) => `${url} ${destination} ${at}`)),
      new Set([
        `https://a.example/1 ${origin} ${origin}`,
        `https://c.example/new ${id} ${merchantId} https://c.example`,
      ]),
    );
  });

  for (const [what, text] of [
    [
      'is not due',
      `UPDATE webhook_deliveries SET next_attempt_at = service_now() + interval '1 s'`,
    ],
    [
      'another sender holds',
      `UPDATE webhook_deliveries SET lease_token = gen_random_uuid(),
         leased_until = service_now() + interval '1 s'`,
    ],
    ['waits in the queue of its URL', `UPDATE webhook_deliveries SET destination = '~' || id`],
    [
      'goes to a paused endpoint',
      `WITH paused AS (UPDATE webhook_endpoints SET status = 'PAUSED' RETURNING id)
       UPDATE webhook_deliveries SET endpoint_id = paused.id FROM paused`,
    ],
    [
      'goes to a slow destination',
      `INSERT INTO webhook_destinations (destination, is_slow)
       SELECT destination, true FROM webhook_deliveries`,
    ],
    [
      'goes to a destination that is probed',
      `INSERT INTO webhook_destinations (destination, opened_at, next_probe_at)
       SELECT destination, service_now(), service_now() FROM webhook_deliveries`,
    ],
    ['is over', `UPDATE webhook_deliveries SET status = 'SUCCEEDED', next_attempt_at = NULL`],
  ] as const) {
    it(`leaves a delivery that ${what}`, async () => {
      const named = await enqueue('1');
      await outbox.addEndpoint(merchantId, 'https://b.example/', { eventTypes: [] });
      await sql(text);
      assert.deepEqual(await claim([named]), []);
    });
  }

  it('leaves a payment request whole that owes one of its targets in trouble', async () => {
    const { id } = await outbox.addEndpoint(merchantId, 'https://b.example/');
    const named = await enqueue('1');
    await sql('INSERT INTO webhook_destinations (destination, is_slow) VALUES ($1, true)', [id]);
    assert.deepEqual(await claim([named]), []);
    await sql(
      `UPDATE webhook_deliveries SET next_attempt_at = service_now() + interval '1 s'
       WHERE endpoint_id = $1`,
      [id],
    );
    assert.equal((await claim([named])).length, 1);
  });

  it('takes a delivery whose lease has ended, and says so', async () => {
    const named = await enqueue('1');
    assert.deepEqual(
      (await claim([named])).map((each) => each.leaseExpired),
      [false],
    );
    await sql('UPDATE webhook_deliveries SET leased_until = service_now()');
    assert.deepEqual(
      (await claim([named])).map((each) => each.leaseExpired),
      [true],
    );
  });

  it('keeps the order of the events of a payment request', async () => {
    const paymentRequestId = await enqueue('1', { sequence: 1 });
    for (const sequence of [2, 3]) await enqueue('1', { paymentRequestId, sequence });
    const sequences = async () => (await claim([paymentRequestId])).map((each) => each.sequence);
    assert.deepEqual(await sequences(), [1]);
    assert.deepEqual(await sequences(), []);
    await sql(
      `UPDATE webhook_deliveries SET status = 'SUCCEEDED', next_attempt_at = NULL,
         lease_token = NULL, leased_until = NULL WHERE sequence = 1`,
    );
    assert.deepEqual(await sequences(), [2]);
  });

  it('passes over what another sender is just claiming, without waiting for it', async () => {
    const [one, two] = [await enqueue('1'), await enqueue('2')];
    const { db } = outbox.database;
    const ids = await db.transaction(async (tx) => {
      const first = await claimDeliveries(tx, randomUUID(), 45, limitsOf({}), [one]);
      return [...first, ...(await claim([one, two]))].map((each) => each.paymentRequestId);
    });
    assert.deepEqual(ids, [one, two]);
  });

  it('takes eight of an origin, less what is being sent to it', async () => {
    const named: string[] = [];
    for (let n = 0; n < 10; n += 1) named.push(await enqueue(`${n}`));
    assert.equal((await claim(named, { sendingAt: new Map([[origin, 6]]) })).length, 2);
    assert.equal((await claim(named)).length, 8);
  });

  it('counts each origin apart', async () => {
    const named: string[] = [];
    for (const host of ['a', 'b']) {
      for (let n = 0; n < 5; n += 1) {
        named.push(await enqueue('', { webhookUrl: `https://${host}.example/${n}` }));
      }
    }
    assert.equal((await claim(named)).length, 10);
  });

  it('says that a delivery waits for its failing URL', async () => {
    const named = await enqueue('1');
    const isHeld = async () => (await claim([named])).map((each) => each.isHeld);
    await sql(
      `INSERT INTO webhook_destinations (destination, origin, url, opened_at, next_probe_at)
       VALUES (webhook_url_key($1, 'https://a.example/1'), $2, 'https://a.example/1',
               service_now(), service_now())`,
      [merchantId, origin],
    );
    assert.deepEqual(await isHeld(), [true]);
    await release();
    await sql('UPDATE webhook_destinations SET opened_at = NULL, next_probe_at = NULL');
    assert.deepEqual(await isHeld(), [false]);
  });

  it('reads the same few pages, however many destinations wait, by one plan for all', async () => {
    await outbox.database.planAsInProduction();
    const db = connectDatabase({ url: outbox.database.url, poolSize: 1 });
    const plansOf = `SELECT custom_plans::int AS custom, generic_plans::int AS generic
                     FROM pg_prepared_statements WHERE name = 'webhook-delivery-claim-named'`;
    for (let n = 0; n < 8; n += 1) {
      assert.equal((await claim([await enqueue(`${n}`)], {}, db)).length, 1);
    }
    const before = await pagesOfClaim();
    await addQueues();
    const after = await pagesOfClaim();
    assert.ok(after <= before + 10, `${before} pages, and ${after} with ${QUEUES} queues`);
    const plans = await db.query({ name: '', text: plansOf });
    // PostgreSQL tries five plans for their values before it keeps one for all.
    assert.deepEqual(plans, [{ custom: 5, generic: 5 }]);
    await db.close();

    async function pagesOfClaim(): Promise<number> {
      const id = await enqueue(randomUUID());
      const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
        name: '',
        text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE "webhook-delivery-claim-named"
                 ('${randomUUID()}', 45, 100, 8, '{}', '{}', '{${id}}')`,
      });
      const plan = row?.['QUERY PLAN'][0].Plan ?? {};
      assert.equal(plan['Actual Rows'], 1);
      return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    }
  });
});

/** Deliveries that wait for a retry, each at an origin of its own. */
async function addQueues(): Promise<void> {
  await sql(
    `WITH events AS (
       INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 1, 'PAYMENT-COMPLETED', '{}'
       FROM generate_series(1, $2::int) RETURNING id, payment_request_id)
     INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence, url,
                                     destination, attempts, next_attempt_at)
     SELECT gen_random_uuid(), id, $1, payment_request_id, 1, 'https://a.example/', $1 || id, 1,
            service_now() + interval '1 h'
     FROM events`,
    [merchantId, QUEUES],
  );
}
