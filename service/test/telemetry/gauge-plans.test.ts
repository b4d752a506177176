import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import type { Statement } from '#database/database.ts';
import { databaseReadings } from '../../src/compose/database-readings.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { seedPaymentRequests } from '../support/payment-requests/seed.ts';

const ROWS = 20_000;
/** Tables that grow with the payments; the others hold what is configured or wrong. */
const GROWING = [
  'payment_requests',
  'payment_request_moves',
  'webhook_deliveries',
  'webhook_events',
  'bank_transfer_requests',
  'bank_statements',
  'bank_movements',
  'bank_files',
  'bank_refunds',
];

const BANK_ROW_COUNT = 5_000;
/** Twenty accounts, each with its share of paid requests, statements, movements and refunds. */
const BANK_ROWS = `
  INSERT INTO creditor_account_keys SELECT 'DE' || 10000000000000 + n, 'm' FROM generate_series(0, 19) n;
  INSERT INTO creditor_accounts (id, merchant_id, version, holder, account_number)
    SELECT gen_random_uuid(), 'm' || key, 1, 'Shop', key FROM creditor_account_keys;
  INSERT INTO bank_transfer_requests (payment_request_id, page_key, merchant_id, reference,
      account_id, amount_cents, currency, merchant_name, payment_link, qr_code_link, return_url,
      expires_at, state)
    SELECT gen_random_uuid(), lpad(n::text, 22, '0'), 'm', 'RF18' || n, a.id, 1, 'EUR', 'Shop', '', '',
      '', now(), 'PAID'
    FROM generate_series(1, ${BANK_ROW_COUNT}) n
    JOIN creditor_accounts a ON a.key = 'DE' || 10000000000000 + n % 20;
  INSERT INTO bank_files (id, sha256, size_bytes, state, kind)
    SELECT gen_random_uuid(), sha256(n::text::bytea), 1, 'COMPLETE', 'camt.053'
    FROM generate_series(1, ${BANK_ROW_COUNT}) n;
  INSERT INTO bank_statements (id, file_id, kind, account, day)
    SELECT gen_random_uuid(), f.id, 'camt.053', 'DE' || 10000000000000 + row_number() OVER () % 20,
      current_date - (row_number() OVER () / 60)::int FROM bank_files f;
  INSERT INTO bank_movements (id, account, direction, amount_cents, currency, booked_at,
      network_reference, institution, is_confirmed, outcome)
    SELECT gen_random_uuid(), 'DE' || 10000000000000 + n % 20, 'CREDIT', 1, 'EUR', now(), n::text, 'B',
      true, 'EXACT' FROM generate_series(1, ${BANK_ROW_COUNT}) n;
  INSERT INTO bank_refunds (refund_id, payment_request_id, account_id, amount_cents, currency, state,
      message_id, outcome, list_reference)
    SELECT gen_random_uuid(), gen_random_uuid(), account_id, 1, 'EUR', 'COMPLETED', 'M', '{}',
      'PRS' || lpad(row_number() OVER ()::text, 9, '0')
    FROM bank_transfer_requests`;

describe('the statements of the gauges', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase('sandbox');
    await database.planAsInProduction();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await seedPaymentRequests(client, { rows: ROWS, now: new Date('2026-03-01T12:00:00.000Z') });
    await client.query("SET session_replication_role = 'replica'");
    await client.query(
      `INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body)
       SELECT gen_random_uuid(), merchant_id, id, 1, 'PAYMENT-COMPLETED', '{}'
       FROM payment_requests`,
    );
    await client.query(
      `INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence, url,
         destination, status, next_attempt_at, completed_at)
       SELECT gen_random_uuid(), id, merchant_id, payment_request_id, 1, 'https://a.example/',
         merchant_id || ' https://a.example', 'SUCCEEDED', NULL, now() FROM webhook_events`,
    );
    await client.query(BANK_ROWS);
    await client.query('ANALYZE');
    await client.end();
  });
  after(() => database.drop());

  it('read no table that grows from end to end', async () => {
    const statements: Statement[] = [];
    for (const { read } of databaseReadings({ bank: { calendar: 'TARGET' } })) {
      await read({
        query: async (statement) => {
          statements.push(statement);
          return [];
        },
      });
    }
    assert.ok(statements.length >= 4);
    const scanned: string[] = [];
    for (const { name, text } of statements) {
      const rows = await database.sql<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      for (const table of GROWING) {
        if (new RegExp(`Seq Scan on ${table}\\b`).test(plan)) scanned.push(`${name}: ${table}`);
      }
    }
    assert.deepEqual(scanned, []);
  });
});
