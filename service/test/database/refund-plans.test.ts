import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { findRefundPage, refundPage } from '#refunds/read/list-store.ts';
import { readRefundFilters } from '#refunds/read/refund-list.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { planNodes } from '../support/plan-nodes.ts';

const ROWS = 20_000;
/** 40 % of all rows, some 12, and none. */
const MERCHANTS = ['mer_giant', 'mer_7', 'mer_none'];
const MIDDLE = { createdAt: new Date('2026-01-15'), id: '01980000-0000-7000-8000-000000000000' };
const { filters: NO_FILTERS } = readRefundFilters({});

describe(`the prepared list among ${ROWS} refunds`, () => {
  let database: TestDatabase;
  let client: pg.Client;

  before(async () => {
    database = await createTestDatabase('sandbox');
    await database.planAsInProduction();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // The list reads no other table's rows, so that no foreign key has to hold.
    await client.query("SET session_replication_role = 'replica'");
    await client.query(
      `INSERT INTO refunds (id, payment_request_id, merchant_id, amount_cents, created_at)
       SELECT gen_random_uuid(), gen_random_uuid(),
         CASE WHEN n % 10 < 4 THEN 'mer_giant' ELSE 'mer_' || n % 1009 END, 1,
         '2026-03-01'::timestamptz - (n / 3) * interval '10 min'
       FROM generate_series(1, ${ROWS}) n`,
    );
    await client.query(
      `INSERT INTO refund_events (refund_id, position, status, cause, occurred_at)
       SELECT id, 1, 'CREATED', 'CREATED', created_at FROM refunds`,
    );
    await client.query('RESET session_replication_role');
    await client.query('ANALYZE refunds, refund_events');
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  const pageOf = (merchantId: string, place: typeof MIDDLE | null, limit: number) =>
    refundPage({ merchantId, filters: NO_FILTERS, after: place, limit });

  /** Prepares the page, and runs it with its values. */
  async function prepared(
    { statement, values }: ReturnType<typeof pageOf>,
    work: (execute: string) => Promise<void>,
  ): Promise<void> {
    await client.query(`PREPARE page AS ${statement.text}`);
    const given = values.map((value) =>
      client.escapeLiteral(value instanceof Date ? value.toISOString() : `${value}`),
    );
    await work(`EXECUTE page (${given})`);
    await client.query('DEALLOCATE page');
  }

  async function assertAllWalk(): Promise<void> {
    await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
    for (const merchantId of MERCHANTS) {
      for (const place of [null, MIDDLE]) {
        await prepared(pageOf(merchantId, place, 21), async (execute) => {
          const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`);
          const nodes = planNodes(rows);
          const [read, ...others] = nodes.filter((node) => node['Relation Name'] === 'refunds');
          assert.deepEqual(others, [], merchantId);
          assert.equal(read?.['Index Name'], 'refunds_of_merchant', merchantId);
          assert.ok(read['Actual Rows'] * read['Actual Loops'] <= 21, merchantId);
        });
      }
    }
  }

  it('walks one index for every merchant, and no row beyond the page', async () => {
    await client.query('BEGIN');
    await assertAllWalk();
    await client.query('ROLLBACK');
  });

  it('walks the same index without statistics', async () => {
    await client.query('BEGIN');
    await client.query("DELETE FROM pg_statistic WHERE starelid = 'refunds'::regclass");
    await assertAllWalk();
    await client.query('ROLLBACK');
  });

  async function assertPlannedForAll(): Promise<void> {
    for (const merchantId of MERCHANTS) {
      for (const limit of [2, 21, 101]) {
        await prepared(pageOf(merchantId, null, limit), async (execute) => {
          for (let n = 0; n < 8; n += 1) await client.query(execute);
          const { rows } = await client.query(
            `SELECT generic_plans::int AS generic FROM pg_prepared_statements WHERE name = 'page'`,
          );
          assert.deepEqual(rows, [{ generic: 3 }], `${merchantId}, ${limit}`);
        });
      }
    }
  }

  it('is planned no more from the sixth page on', () => assertPlannedForAll());

  const owners = {
    'one merchant has nearly all rows':
      "CASE merchant_id WHEN 'mer_7' THEN 'mer_7' ELSE 'mer_giant' END",
    'most merchants have one row':
      "CASE WHEN random() < 0.2 THEN merchant_id ELSE 'mer_' || id END",
  };
  for (const [title, owner] of Object.entries(owners)) {
    it(`walks the same index, and is planned no more, where ${title}`, async () => {
      await client.query('BEGIN');
      await client.query("SET LOCAL session_replication_role = 'replica'");
      await client.query(`UPDATE refunds SET merchant_id = ${owner}`);
      await client.query('ANALYZE refunds');
      await assertPlannedForAll();
      await assertAllWalk();
      await client.query('ROLLBACK');
    });
  }

  it('shows every row once and in order', async () => {
    const expected = await database.sql<{ id: string }>(
      `SELECT id FROM refunds WHERE merchant_id = 'mer_giant'
       ORDER BY created_at DESC, id DESC LIMIT 100`,
    );
    const found: string[] = [];
    let place: typeof MIDDLE | null = null;
    while (found.length < expected.length) {
      const asked = { merchantId: 'mer_giant', filters: NO_FILTERS, after: place, limit: 7 };
      const page = await findRefundPage(database.db, asked);
      assert.ok(page.length > 0);
      found.push(...page.map(({ id }) => id));
      place = page.at(-1) ?? null;
    }
    assert.deepEqual(
      found.slice(0, expected.length),
      expected.map(({ id }) => id),
    );
  });
});
