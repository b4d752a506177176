import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectDatabase, type Database } from '#database/database.ts';
import {
  type DeliveryFilters,
  type DeliveryPlace,
  findDeliveryPage,
} from '#webhooks/deliveries/list-store.ts';
import type { WebhookDelivery } from '#webhooks/model/delivery.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** A merchant and an endpoint with most deliveries, beside many with a few. */
const SEED = `
  INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
                         signing_secret_encrypted)
  SELECT 'mer_' || n, 'A shop', 'u', '', '' FROM generate_series(0, 100) n;
  INSERT INTO webhook_endpoints (id, merchant_id, url, listener_username,
                                 listener_password_encrypted, signing_secret_encrypted)
  SELECT md5('endpoint' || n)::uuid, 'mer_' || n, 'https://shop.example/', 'u', '', ''
  FROM generate_series(0, 100) n;
  INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body)
  SELECT md5('event' || n)::uuid, 'mer_' || least(n / 4000 * (n % 101), 100),
    md5('request' || n)::uuid, 1, 'PAYMENT-COMPLETED', '{}'
  FROM generate_series(1, 5000) n;
  INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence,
    endpoint_id, url, destination, status, next_attempt_at, completed_at)
  SELECT time_ordered_uuid(), v.id, v.merchant_id, v.payment_request_id, 1, e.id, e.url,
    e.id::text, 'SUCCEEDED', NULL, now()
  FROM webhook_events v JOIN webhook_endpoints e ON e.merchant_id = v.merchant_id;
  -- Two thousand more wait behind an outage: none but the oldest were tried.
  INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body)
  SELECT md5('waiting' || n)::uuid, 'mer_0', md5('later' || n)::uuid, 1, 'PAYMENT-FAILED', '{}'
  FROM generate_series(1, 2000) n;
  INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence,
    endpoint_id, url, destination, attempts, failed_at, failed_by)
  SELECT ('ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, md5('waiting' || n)::uuid,
    'mer_0', md5('later' || n)::uuid, 1, md5('endpoint0')::uuid, 'https://shop.example/',
    md5('endpoint0')::uuid::text, (n <= 20)::int,
    CASE WHEN n <= 20 THEN date_trunc('ms', now()) - make_interval(secs => (n * 7) % 20) END,
    CASE WHEN n <= 20 THEN CASE n % 2 WHEN 0 THEN '5xx' ELSE 'timeout' END END
  FROM generate_series(1, 2000) n;
  ANALYZE`;

/** Pages of tables and indexes that statements have read. */
const READ = {
  name: '',
  text: `SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot(),
           (SELECT sum(pg_stat_get_blocks_fetched(name::regclass))
            FROM unnest(ARRAY['webhook_events', 'webhook_events_pkey', 'webhook_deliveries'])
              name)::int AS count`,
};
/** The bound of a call; reading all 4,000 deliveries of the endpoint takes some 12,000. */
const MOST_PAGES = 1_000;
/** Some twenty rows with their events; reading all that wait takes some 6,000. */
const MOST_FAILING_PAGES = 200;
const CALLS = 10;

describe('a page of deliveries', () => {
  let database: TestDatabase;
  let db: Database;

  before(async () => {
    database = await createTestDatabase('sandbox');
    await database.planAsInProduction();
    await database.sql(SEED);
    // A single session: from its sixth call on, a named statement may have a plan for all values.
    db = connectDatabase({ url: database.url, poolSize: 1 });
  });
  after(async () => {
    await db?.close();
    await database?.drop();
  });

  const pagesRead = async () => {
    await db.query(READ);
    const [row] = await db.query<{ count: number }>(READ);
    return row?.count ?? 0;
  };
  const askedOf = (filters: Partial<DeliveryFilters>) => ({
    merchantId: 'mer_0',
    filters: { paymentRequestId: null, endpointId: null, statuses: null, ...filters },
    after: null,
    limit: 11,
  });

  it('of an endpoint does not read all deliveries, however often it is asked for', async () => {
    const [endpoint] = await database.sql<{ id: string }>(
      `SELECT id FROM webhook_endpoints WHERE merchant_id = 'mer_0'`,
    );
    const before = await pagesRead();
    for (let call = 0; call < CALLS; call += 1) {
      const asked = askedOf({ endpointId: endpoint?.id ?? '' });
      assert.equal((await findDeliveryPage(db, asked)).length, 11);
    }
    const read = (await pagesRead()) - before;
    assert.ok(read > 0 && read <= CALLS * MOST_PAGES, `${read} pages`);
  });

  it('that fail reads these alone among all that wait, in both orders', async () => {
    for (const byAttempt of [false, true]) {
      const before = await pagesRead();
      const asked = askedOf({ lastAnswer: '5xx', byAttempt });
      const found = await findDeliveryPage(db, asked);
      assert.equal(found.length, 10);
      const read = (await pagesRead()) - before;
      assert.ok(read > 0 && read <= MOST_FAILING_PAGES, `${read} pages`);
    }
  });

  it('follows the latest attempts, the latest first, across pages', async () => {
    const seen: string[] = [];
    let after: DeliveryPlace | null = null;
    do {
      const page: WebhookDelivery[] = await findDeliveryPage(db, {
        ...askedOf({ byAttempt: true }),
        after,
        limit: 7,
      });
      seen.push(...page.map(({ lastAttemptAt }) => `${lastAttemptAt?.toISOString()}`));
      const last = page.at(-1);
      after = last?.lastAttemptAt ? { id: last.id, createdAt: last.lastAttemptAt } : null;
    } while (after);
    assert.equal(seen.length, 20);
    assert.deepEqual(seen, seen.toSorted().reverse());
  });
});
