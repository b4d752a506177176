import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectDatabase, type Database } from '#database/database.ts';
import { findDeliveryPage } from '#webhooks/deliveries/list-store.ts';
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
const CALLS = 10;

describe('a page of the deliveries of an endpoint', () => {
  let database: TestDatabase;
  let db: Database;

  before(async () => {
    database = await createTestDatabase('sandbox');
    await database.sql(SEED);
    // A single session: from its sixth call on, a named statement may have a plan for all values.
    db = connectDatabase({ url: database.url, poolSize: 1 });
  });
  after(async () => {
    await db?.close();
    await database?.drop();
  });

  it('does not read all deliveries, however often it is asked for', async () => {
    const [endpoint] = await database.sql<{ id: string }>(
      `SELECT id FROM webhook_endpoints WHERE merchant_id = 'mer_0'`,
    );
    const filters = { paymentRequestId: null, endpointId: endpoint?.id ?? '', statuses: null };
    const pagesRead = async () => {
      await db.query(READ);
      const [row] = await db.query<{ count: number }>(READ);
      return row?.count ?? 0;
    };
    const before = await pagesRead();
    for (let call = 0; call < CALLS; call += 1) {
      const asked = { merchantId: 'mer_0', filters, after: null, limit: 11 };
      assert.equal((await findDeliveryPage(db, asked)).length, 11);
    }
    const read = (await pagesRead()) - before;
    assert.ok(read > 0 && read <= CALLS * MOST_PAGES, `${read} pages`);
  });
});
