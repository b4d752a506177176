import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import type { Statement } from '#database/database.ts';
import { DATABASE_READINGS } from '../../src/compose/database-readings.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { seedPaymentRequests } from '../support/payment-requests/seed.ts';

const ROWS = 20_000;
/** Tables that grow with the payments; the others hold what is configured or wrong. */
const GROWING = [
  'payment_requests',
  'payment_request_moves',
  'webhook_deliveries',
  'webhook_events',
];

describe('the statements of the gauges', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase('sandbox');
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
    await client.query('ANALYZE');
    await client.end();
  });
  after(() => database.drop());

  it('read no table that grows from end to end', async () => {
    const statements: Statement[] = [];
    for (const { read } of DATABASE_READINGS) {
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
