import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectDatabase, type Database, DatabaseUnavailable } from '#database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const LIMIT_MS = 400;
const SHORT = { name: '', text: 'SELECT pg_sleep(0.05)' };

describe('a transaction that goes on and on, with short statements', () => {
  let test: TestDatabase;
  let db: Database;
  before(async () => {
    test = await createTestDatabase('sandbox');
    db = connectDatabase({ url: test.url, poolSize: 1, transactionTimeoutMs: LIMIT_MS });
  });
  after(async () => {
    await db.close();
    await test.drop();
  });

  it('is ended by PostgreSQL 17 or newer, so that it does not hold the feed back', async () => {
    const [limit] = await test.sql("SELECT current_setting('transaction_timeout', true) AS known");
    let statements = 0;
    const endless = db.transaction(async (tx) => {
      for (; statements < 100; statements += 1) await tx.query(SHORT);
    });
    // An older server knows no such limit.
    if (limit?.known === null) return endless;
    await assert.rejects(endless, DatabaseUnavailable);
    assert.ok(statements < 100, `${statements} statements`);
    await db.query(SHORT);
  });
});
