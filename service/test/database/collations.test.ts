import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** A comparison of two collations reads no index of one of them: a table is read instead. */
describe('columns that are compared with each other', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase('production');
  });
  after(() => database?.drop());

  it('have the collation of the column that they refer to', async () => {
    const unlike = await database.sql(
      `SELECT k.conrelid::regclass::text AS "table", a.attname AS "column"
       FROM pg_constraint k
       JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
       JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = k.confkey[1]
       WHERE k.contype = 'f' AND a.attcollation <> b.attcollation`,
    );
    assert.deepEqual(unlike, []);
  });

  it('have one collation, where they have one name', async () => {
    const unlike = await database.sql(
      `SELECT a.attname AS "name", count(DISTINCT a.attcollation)::int AS collations
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p')
       WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND a.attcollation <> 0
         AND (a.attname ~ '(_id|reference)$' OR a.attname = 'issuer')
       GROUP BY 1 HAVING count(DISTINCT a.attcollation) > 1 ORDER BY 1`,
    );
    assert.deepEqual(unlike, []);
  });

  it('compare the reference of a movement with those of cases by the index', async () => {
    const [movements, cases] = await database.sql<{ collation: number }>(
      `SELECT a.attcollation::int AS collation FROM pg_attribute a
       WHERE a.attrelid = 'bank_movements'::regclass AND a.attname = 'network_reference'
       UNION ALL
       SELECT i.indcollation[0]::int FROM pg_index i
       WHERE i.indexrelid = 'operator_cases_by_reference'::regclass`,
    );
    assert.deepEqual(movements, cases);
  });
});
