import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { COMMIT_START } from '#database/commit-order/commit-cursor.ts';
import { entriesPage, findEntries } from '#ledger/entries/entry-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { planNodes } from '../support/plan-nodes.ts';

const ROWS = 20_000;
/** 40 % of all rows, some 12, and none. */
const MERCHANTS = ['mer_giant', 'mer_7', 'mer_none'];
const NO_DAYS = { from: null, to: null, fromAt: null, toAt: null };

describe(`the prepared page among ${ROWS} ledger entries`, () => {
  let database: TestDatabase;
  let client: pg.Client;
  let middle: typeof COMMIT_START;

  before(async () => {
    database = await createTestDatabase('sandbox');
    await database.planAsInProduction();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // The page reads no other table's rows, so that no foreign key has to hold.
    await client.query("SET session_replication_role = 'replica'");
    await client.query(
      `INSERT INTO ledger_entries (id, merchant_id, type, amount_cents, currency, network_reference)
       SELECT gen_random_uuid(),
         CASE WHEN n % 10 < 4 THEN 'mer_giant' ELSE 'mer_' || n % 1009 END, 'PAYMENT', 1, 'CAD',
         'REF-' || n
       FROM generate_series(1, ${ROWS}) n`,
    );
    await client.query('ANALYZE ledger_entries');
    const { rows } = await client.query(
      `SELECT transaction_id::text AS "transactionId", position::text FROM ledger_entries
       WHERE merchant_id = 'mer_giant' ORDER BY position OFFSET 4000 LIMIT 1`,
    );
    middle = rows[0];
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  const asked = (owner: string, place = COMMIT_START, limit = 21) => ({
    owner,
    days: NO_DAYS,
    types: null,
    paymentRequestId: null,
    after: place,
    limit,
  });

  /** Prepares the page, and runs it with its values. */
  async function prepared(
    page: ReturnType<typeof asked>,
    work: (execute: string) => Promise<void>,
  ): Promise<void> {
    const { statement, values } = entriesPage(page);
    await client.query(`PREPARE page AS ${statement.text}`);
    await work(`EXECUTE page (${values.map((value) => client.escapeLiteral(`${value}`))})`);
    await client.query('DEALLOCATE page');
  }

  async function assertWalks(): Promise<void> {
    await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
    for (const owner of MERCHANTS) {
      for (const place of [COMMIT_START, middle]) {
        await prepared(asked(owner, place), async (execute) => {
          const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`);
          const reads = planNodes(rows)
            .filter((node) => node['Relation Name'] === 'ledger_entries')
            .filter((node) => node['Actual Rows'] * node['Actual Loops'] > 1);
          for (const read of reads) {
            assert.equal(read['Index Name'], 'ledger_entries_of_merchant', owner);
            assert.ok(read['Actual Rows'] <= 21, owner);
          }
          assert.ok(reads.length <= 1, owner);
        });
      }
    }
  }

  async function assertPlannedForAll(): Promise<void> {
    for (const owner of MERCHANTS) {
      for (const [place, limit] of [
        [COMMIT_START, 2],
        [COMMIT_START, 101],
        [middle, 21],
      ] as const) {
        await prepared(asked(owner, place, limit), async (execute) => {
          for (let n = 0; n < 8; n += 1) await client.query(execute);
          const { rows } = await client.query(
            `SELECT generic_plans::int AS generic FROM pg_prepared_statements WHERE name = 'page'`,
          );
          assert.deepEqual(rows, [{ generic: 3 }], `${owner}, ${limit}`);
        });
      }
    }
  }

  const statistics = {
    'with statistics': 'ANALYZE ledger_entries',
    'without statistics': "DELETE FROM pg_statistic WHERE starelid = 'ledger_entries'::regclass",
  };
  for (const [title, change] of Object.entries(statistics)) {
    it(`walks one index, and no row beyond the page, ${title}`, async () => {
      await client.query('BEGIN');
      await client.query(change);
      await assertWalks();
      await client.query('ROLLBACK');
    });
  }

  it('is planned no more from the sixth page on', () => assertPlannedForAll());

  it('shows every entry once and in order', async () => {
    const expected = await database.sql<{ id: string }>(
      `SELECT id FROM ledger_entries WHERE merchant_id = 'mer_giant'
       ORDER BY transaction_id, position LIMIT 50`,
    );
    const found: string[] = [];
    let place: typeof COMMIT_START = COMMIT_START;
    const pageAt = async () => {
      const page = await findEntries(database.db, asked('mer_giant', place, 7));
      return page.entries.length > 0 && page;
    };
    while (found.length < expected.length) {
      // Pages end before the oldest transaction that runs on the server, also for another test.
      const page = await eventually(pageAt, 'the page');
      assert.equal(page.isForeign, false);
      found.push(...page.entries.map(({ id }) => id));
      place = page.entries.at(-1) ?? assert.fail();
    }
    assert.deepEqual(
      found.slice(0, expected.length),
      expected.map(({ id }) => id),
    );
  });
});
