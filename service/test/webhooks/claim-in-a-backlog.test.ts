import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { connectDatabase, type Database } from '#database/database.ts';
import { claimDeliveries } from '#webhooks/sending/claim-store.ts';
import type { ClaimLimits } from '#webhooks/sending/concurrency-limits.ts';
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

let outbox: WebhookDeliveries;
/** A single connection, so that what it has prepared can be explained. */
let db: Database;

beforeEach(async () => {
  outbox = await createWebhookDeliveries();
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
});

/**
 * Adds as many to each destination, all of them due later; payment requests in the order of time.
 */
async function addDeliveries(merchantId: string, status: 'PENDING' | 'SUCCEEDED') {
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
    [merchantId, DESTINATIONS, HELD_EACH, status, status === 'PENDING' ? 10_000 : 0],
  );
}

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Deliveries and destinations that the prepared claim touches. */
async function rowsLookedAt(): Promise<number> {
  const nobody = "'{}'";
  const values = [`'${randomUUID()}'`, 100, 100, 8, nobody, nobody, 100, nobody, nobody, 45];
  const [row] = await db.query<{ 'QUERY PLAN': [{ readonly Plan: Plan }] }>({
    name: '',
    text: `EXPLAIN (ANALYZE, FORMAT JSON)
           EXECUTE "webhook-delivery-claim" (${[...values, 100, 100, 100, nobody, nobody].join(', ')})`,
  });
  assert.ok(row);
  return count(row['QUERY PLAN'][0].Plan);
}

function count(plan: Plan): number {
  const isScan = /^webhook_de(liveries|stinations)$/.test(plan['Relation Name'] ?? '');
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const own = isScan ? rows * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, part) => sum + count(part), own);
}
