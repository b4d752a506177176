import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { connectDatabase, type Database } from '#database/database.ts';
import { claimDeliveries } from '#webhooks/sending/claim-store.ts';
import type { ClaimLimits } from '#webhooks/sending/concurrency-limits.ts';
import type { ClaimedDelivery } from '#webhooks/sending/lease-store.ts';
import { type AttemptRecord, recordAttempts } from '#webhooks/sending/record-store.ts';
import { eventually } from '../support/eventually.ts';
import {
  createWebhookDeliveries,
  type WebhookDeliveries,
} from '../support/webhooks/webhook-deliveries.ts';

const LIMITS: ClaimLimits = {
  most: 100,
  mostRetries: 100,
  mostPerOrigin: 8,
  mostPerMerchant: 100,
  fairPerOrigin: 100,
  mostPerMerchantOverShare: 100,
  mostOverShare: 100,
  sendingTo: new Map(),
  sendingAt: new Map(),
  sendingFor: new Map(),
};
const DESTINATIONS = 20;
const HELD_EACH = 50;
/** More than a claim reads at once, and fewer than twice as many. */
const MANY = 300;
/** A page has room for some twenty deliveries. */
const FEW_PAGES = 80;

let outbox: WebhookDeliveries;
/** A single connection, so that what it has prepared can be explained. */
let db: Database;

beforeEach(async () => {
  outbox = await createWebhookDeliveries();
  await outbox.database.planAsInProduction();
  db = connectDatabase({ url: outbox.database.url, poolSize: 1 });
});
afterEach(async () => {
  await db.close();
  await outbox.close();
});

describe('a claim in a backlog', () => {
  it('looks at few rows, though statistics know of none that is owed', async () => {
    const { id: merchantId } = await outbox.addMerchant();
    await addDeliveries(merchantId, 'SUCCEEDED');
    await outbox.database.sql('ANALYZE webhook_deliveries');
    await addDeliveries(merchantId, 'PENDING');
    await db.query({ name: '', text: 'SET plan_cache_mode = force_generic_plan' });
    assert.deepEqual(await claimDeliveries(db, randomUUID(), 45, LIMITS), []);
    const looked = await rowsLookedAt();
    // For a destination one to come to it and one to see that its first is not due, and some more.
    assert.ok(looked <= 4 * DESTINATIONS, `${looked} rows of ${DESTINATIONS * HELD_EACH}`);
  });

  it('looks at few rows, though each of a thousand URLs fails and holds its delivery', async () => {
    const { id: merchantId } = await outbox.addMerchant();
    await outbox.database.sql('ANALYZE webhook_deliveries');
    await outbox.database.sql('ANALYZE webhook_destinations');
    await addDeliveries(merchantId, 'PENDING');
    // Nearly every delivery has a failing URL of its own; no probe is due.
    await outbox.database.sql(
      `WITH held AS (
         UPDATE webhook_deliveries SET destination = '~' || id, next_attempt_at = service_now()
         WHERE destination NOT LIKE '% 0'
         RETURNING id, merchant_id)
       INSERT INTO webhook_destinations (destination, origin, url, is_holding, failures, opened_at,
                                         next_probe_at)
       SELECT '~' || id, merchant_id || ' https://a.example', 'https://a.example/' || id, true, 10,
              service_now(), service_now() + interval '60 s'
       FROM held`,
    );
    await db.query({ name: '', text: 'SET plan_cache_mode = force_generic_plan' });
    assert.deepEqual(await claimDeliveries(db, randomUUID(), 45, LIMITS), []);
    const looked = await rowsLookedAt();
    assert.ok(looked <= 20, `${looked} rows of ${DESTINATIONS * HELD_EACH}`);
    await outbox.database.sql(
      `UPDATE webhook_destinations SET next_probe_at = service_now() - interval '1 s'`,
    );
    assert.equal((await claimDeliveries(db, randomUUID(), 45, LIMITS)).length, 8);
    const withTurns = await rowsLookedAt();
    assert.ok(withTurns <= 100, `${withTurns} rows, of which eight are probed`);
  });

  it('reads no delivery again that was sent, though one transaction made all of them due', async () => {
    const { id: merchantId } = await outbox.addMerchant();
    await addDeliveries(merchantId, 'PENDING');
    await outbox.database.sql(
      `UPDATE webhook_deliveries d
       SET status = 'SUCCEEDED', next_attempt_at = null, completed_at = service_now()
       WHERE id <> (SELECT min(id::text)::uuid FROM webhook_deliveries o
                    WHERE o.destination = d.destination)`,
    );
    await db.query({ name: '', text: 'SET plan_cache_mode = force_generic_plan' });
    // The first claims mark the entries of the index, unless another session still sees the rows.
    await eventually(async () => {
      assert.deepEqual(await claimDeliveries(db, randomUUID(), 45, LIMITS), []);
      const { 'Shared Hit Blocks': pages } = await explainClaim();
      assert.ok(pages <= 20 * DESTINATIONS, `${pages} pages for ${DESTINATIONS} deliveries`);
      return true;
    });
  });

  it('is planned once, by name and for all, as the record is, though the tables grow', async () => {
    const { id: merchantId } = await outbox.addMerchant();
    await claimAndRecord(6);
    await addDeliveries(merchantId, 'PENDING');
    await outbox.database.sql('ANALYZE');
    await claimAndRecord(6);
    const plans = await db.query<{ custom: number }>({
      name: '',
      text: `SELECT custom_plans::int AS custom FROM pg_prepared_statements
             WHERE name LIKE 'webhook-delivery-%'`,
    });
    // PostgreSQL makes five plans for their values before it keeps the plan for all values.
    assert.deepEqual(plans, [{ custom: 5 }, { custom: 5 }, { custom: 5 }]);

    async function claimAndRecord(times: number) {
      for (let n = 0; n < times; n += 1) {
        const id = await outbox.enqueue({ merchantId, webhookUrl: 'https://b.example/' });
        const named = await claimDeliveries(db, randomUUID(), 45, LIMITS, [id]);
        await outbox.enqueue({ merchantId, webhookUrl: 'https://b.example/' });
        const claimed = await claimDeliveries(db, randomUUID(), 45, LIMITS);
        assert.equal(named.length + claimed.length, 2);
        await recordAttempts(db, [...named, ...claimed].map(succeeded));
      }
    }
  });

  it('comes to every destination, a page after the other', async () => {
    const { id: merchantId } = await outbox.addMerchant();
    await addDeliveries(merchantId, 'PENDING', MANY, 1);
    await outbox.database.sql('UPDATE webhook_deliveries SET next_attempt_at = service_now()');
    const walk = { position: '' };
    const limits = { ...LIMITS, most: MANY, mostPerMerchant: MANY, mostRetries: MANY };
    const all = { ...limits, mostPerMerchantOverShare: MANY, mostOverShare: MANY };
    const first = await claimDeliveries(db, randomUUID(), 45, all, [], walk);
    assert.ok(first.length < MANY, `${first.length} in the first page`);
    assert.equal(
      walk.position,
      first
        .map(({ destination }) => destination)
        .sort()
        .at(-1),
    );
    const second = await claimDeliveries(db, randomUUID(), 45, all, [], walk);
    assert.equal(first.length + second.length, MANY);
    assert.equal(walk.position, '');
  });

  it('goes on behind a page that holds nothing for it', async () => {
    const { id: merchantId } = await outbox.addMerchant();
    await addDeliveries(merchantId, 'PENDING', MANY, 1);
    const walk = { position: '' };
    assert.deepEqual(await claimDeliveries(db, randomUUID(), 45, LIMITS, [], walk), []);
    assert.notEqual(walk.position, '');
    assert.deepEqual(await claimDeliveries(db, randomUUID(), 45, LIMITS, [], walk), []);
    assert.equal(walk.position, '');
  });

  it('leaves the indexes alone, though it leases every delivery of a page', async () => {
    const { id: merchantId } = await outbox.addMerchant();
    for (let n = 0; n < FEW_PAGES; n += 1) {
      await outbox.enqueue({ merchantId, webhookUrl: `https://listener-${n}.example/webhooks` });
    }
    const [row] = await db.transaction(async (tx) => {
      assert.equal((await claimDeliveries(tx, randomUUID(), 45, LIMITS)).length, FEW_PAGES);
      return tx.query<{ leased: number; withoutIndex: number }>({
        name: '',
        text: `SELECT n_tup_upd AS leased, n_tup_hot_upd AS "withoutIndex"
               FROM pg_stat_xact_user_tables WHERE relname = 'webhook_deliveries'`,
      });
    });
    assert.equal(row?.leased, FEW_PAGES);
    assert.ok(row.withoutIndex >= 0.9 * FEW_PAGES, `${row.withoutIndex} of ${FEW_PAGES}`);
  });
});

const succeeded = ({ id, leaseToken }: ClaimedDelivery): AttemptRecord => ({
  id,
  leaseToken,
  nextStatus: 'SUCCEEDED',
  delaySeconds: null,
  pauseEndpoint: false,
  startedAt: new Date(),
  durationMs: 42,
  times: {},
  outcome: 'SUCCEEDED',
  httpStatus: 200,
  responseBody: '',
  address: '203.0.113.7',
  isProbe: false,
});

/**
 * Adds as many to each destination, all of them due later; payment requests in the order of time.
 */
async function addDeliveries(
  merchantId: string,
  status: 'PENDING' | 'SUCCEEDED',
  destinations = DESTINATIONS,
  each = HELD_EACH,
) {
  await outbox.database.sql(
    `WITH events AS (
       INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body)
       SELECT gen_random_uuid(), $1, lpad(to_hex(n), 32, '0')::uuid, 1, 'PAYMENT-COMPLETED', '{}'
       FROM generate_series($5::int + 1, $5::int + $2::int * $3::int) n
       RETURNING id, payment_request_id)
     INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence, url,
                                     destination, status, next_attempt_at)
     SELECT gen_random_uuid(), id, $1, payment_request_id, 1, 'https://a.example/',
       $1 || ' ' || row_number() OVER () % $2::int, $4,
       CASE $4 WHEN 'PENDING' THEN service_now() + interval '1 h' END
     FROM events`,
    [merchantId, destinations, each, status, status === 'PENDING' ? 10_000 : 0],
  );
}

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Deliveries and destinations that the prepared claim touches. */
async function rowsLookedAt(): Promise<number> {
  return count(await explainClaim());
}

async function explainClaim(): Promise<Plan> {
  const nobody = "'{}'";
  const values = [`'${randomUUID()}'`, 45, 100, 8, nobody, nobody, 100, 100, nobody, nobody];
  const rest = [nobody, nobody, 100, 100, 100, "''"];
  const [row] = await db.query<{ 'QUERY PLAN': [{ readonly Plan: Plan }] }>({
    name: '',
    text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
           EXECUTE "webhook-delivery-claim" (${[...values, ...rest].join(', ')})`,
  });
  assert.ok(row);
  return row['QUERY PLAN'][0].Plan;
}

function count(plan: Plan): number {
  const isScan = /^webhook_de(liveries|stinations)$/.test(plan['Relation Name'] ?? '');
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const own = isScan ? rows * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, part) => sum + count(part), own);
}
