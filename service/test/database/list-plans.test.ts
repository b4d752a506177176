import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { NO_FILTERS, type PaymentRequestFilters } from '#payment-requests/read/filters.ts';
import { findPaymentRequestPage, paymentRequestPage } from '#payment-requests/read/list-store.ts';
import { NEWEST_PAGES, newestPagesValue } from '#payment-requests/read/newest-pages/pages-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { SEEDED, seedPaymentRequests } from '../support/payment-requests/seed.ts';
import { type PlanNode, planNodes } from '../support/plan-nodes.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const ROWS = 20_000;
/** A merchant of the seed with some 8 rows. */
const FEW = 'mer_7';
const MERCHANTS = [SEEDED.giant, SEEDED.small, FEW, 'mer_none'];
/** A place in the middle of the list. */
const MIDDLE = { createdAt: new Date('2025-09-01'), id: '01980000-0000-7000-8000-000000000000' };

type Filters = Partial<PaymentRequestFilters>;

/** References that are common, rare and absent, by the index that holds them. */
const REFERENCES: Readonly<Record<string, readonly Filters[]>> = {
  payment_requests_transactions: [{ merchantTransactionId: 'HASH-absent' }],
  payment_requests_invoices: [{ invoiceNumber: 'N/A' }, { invoiceNumber: 'INV-none' }],
  payment_requests_payer_emails: [
    { payerEmail: 'None@shop.example' },
    { payerEmail: 'payer77@example.com' },
  ],
  payment_requests_payer_mobiles: [{ payerMobileNumber: '14161000066' }],
};

describe(`the prepared lists among ${ROWS} payment requests`, () => {
  let database: TestDatabase;
  let client: pg.Client;

  before(async () => {
    database = await createTestDatabase('sandbox');
    await database.planAsInProduction();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await seedPaymentRequests(client, { rows: ROWS, now: NOW });
    await client.query('ANALYZE merchants');
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  const pageOf = (
    merchantId: string,
    filters: Filters = {},
    after: typeof MIDDLE | null = null,
    limit = 21,
  ) =>
    paymentRequestPage({
      merchantId,
      filters: { ...NO_FILTERS, ...filters },
      now: NOW,
      after,
      limit,
    });

  /** The nodes that read payment requests, in the one plan for all values. */
  async function readsOf({
    statement,
    values,
  }: ReturnType<typeof pageOf>): Promise<readonly PlanNode[]> {
    await client.query(`PREPARE page AS ${statement.text}`);
    try {
      const given = values.map((value) =>
        client.escapeLiteral(value instanceof Date ? value.toISOString() : `${value}`),
      );
      const explain = 'EXPLAIN (ANALYZE, TIMING off, FORMAT JSON)';
      const { rows } = await client.query(`${explain} EXECUTE page (${given})`);
      const nodes = planNodes(rows);
      return nodes.filter((node) => node['Relation Name'] === 'payment_requests');
    } finally {
      await client.query('DEALLOCATE page');
    }
  }

  async function assertWalks(index: string, filters: Filters): Promise<void> {
    for (const merchantId of MERCHANTS) {
      // A later page of a reference has no prepared statement.
      const isPrepared = pageOf(merchantId, filters, MIDDLE).statement.name !== '';
      for (const place of isPrepared ? [null, MIDDLE] : [null]) {
        const asked = `${merchantId}, ${JSON.stringify(filters)}, ${place ? 'deep' : 'first page'}`;
        const [read, ...others] = await readsOf(pageOf(merchantId, filters, place));
        assert.deepEqual(others, [], asked);
        assert.equal(read?.['Node Type'], 'Index Scan', asked);
        assert.equal(read['Index Name'], index, asked);
        assert.ok(read['Actual Rows'] * read['Actual Loops'] <= 21, asked);
      }
    }
  }

  /** Pages of all merchants, each on its own, as one statement. */
  const pagesOf = (after: typeof MIDDLE | null, limit = 21) => ({
    statement: NEWEST_PAGES,
    values: [
      newestPagesValue(MERCHANTS.map((merchantId) => ({ merchantId, after, limit, known: null }))),
    ],
  });

  async function assertPagesWalk(): Promise<void> {
    for (const place of [null, MIDDLE]) {
      const reads = await readsOf(pagesOf(place));
      assert.equal(reads.length, 2, 'the digests and the rows');
      for (const read of reads) {
        assert.equal(read['Node Type'], 'Index Scan');
        assert.equal(read['Index Name'], 'payment_requests_of_merchant');
        assert.ok(read['Actual Rows'] <= 21, 'reads beyond its page');
      }
    }
  }

  async function assertAllWalk(): Promise<void> {
    await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
    await assertPagesWalk();
    await assertWalks('payment_requests_of_merchant', {});
    for (const [index, references] of Object.entries(REFERENCES)) {
      for (const reference of references) await assertWalks(index, reference);
    }
  }

  it('walk one index for every merchant and reference, and no row beyond the page', async () => {
    await client.query('BEGIN');
    await assertAllWalk();
    await client.query('ROLLBACK');
  });

  it('walk the same index without statistics', async () => {
    await client.query('BEGIN');
    await client.query("DELETE FROM pg_statistic WHERE starelid = 'payment_requests'::regclass");
    await assertAllWalk();
    await client.query('ROLLBACK');
  });

  it('walk the same index where most merchants have one row and references recur', async () => {
    await client.query('BEGIN');
    await client.query("SET LOCAL session_replication_role = 'replica'");
    await client.query(
      `UPDATE payment_requests SET merchant_id = CASE WHEN random() < 0.2 THEN merchant_id
         ELSE 'mer_of_' || id END, invoice_number = 'INV-' || (random() * 250)::int,
         payer_email = 'payer' || (random() * 250)::int || '@example.com'`,
    );
    await client.query('ANALYZE payment_requests');
    await assertAllWalk();
    await client.query('ROLLBACK');
  });

  async function assertPlannedForAll({ statement, values }: ReturnType<typeof pageOf>) {
    await client.query(`PREPARE page AS ${statement.text}`);
    const given = values.map((value) => client.escapeLiteral(`${value}`));
    for (let n = 0; n < 8; n += 1) await client.query(`EXECUTE page (${given})`);
    const { rows } = await client.query(
      `SELECT generic_plans::int AS generic FROM pg_prepared_statements WHERE name = 'page'`,
    );
    await client.query('DEALLOCATE page');
    assert.deepEqual(rows, [{ generic: 3 }], `${statement.name} of ${values}`);
  }

  it('are planned no more from the sixth page on', async () => {
    const filters: readonly Filters[] = [
      {},
      ...Object.values(REFERENCES).flatMap(([first = {}]) => first),
      { shortCode: 'abcdefabcdefabcd' },
      { networkReference: 'REF-77' },
    ];
    for (const merchantId of [SEEDED.giant, FEW]) {
      for (const limit of [2, 21, 101]) {
        for (const each of filters) {
          await assertPlannedForAll(pageOf(merchantId, each, null, limit));
        }
      }
    }
    for (const limit of [2, 21, 101]) await assertPlannedForAll(pagesOf(null, limit));
  });

  it('are planned no more where one merchant has nearly all rows', async () => {
    await client.query('BEGIN');
    await client.query("SET LOCAL session_replication_role = 'replica'");
    await client.query(
      `UPDATE payment_requests SET merchant_id = '${SEEDED.giant}' WHERE merchant_id <> '${FEW}'`,
    );
    await client.query('ANALYZE payment_requests');
    for (const merchantId of [SEEDED.giant, FEW]) {
      for (const limit of [2, 21, 101]) {
        await assertPlannedForAll(pageOf(merchantId, {}, null, limit));
      }
    }
    for (const limit of [2, 21, 101]) await assertPlannedForAll(pagesOf(null, limit));
    await client.query('ROLLBACK');
  });

  it('show every row once and in order, in pages of every size', async () => {
    const lists: readonly Filters[] = [
      {},
      { invoiceNumber: 'N/A' },
      { payerEmail: 'none@shop.example' },
    ];
    for (const merchantId of [SEEDED.giant, FEW]) {
      for (const filters of lists) {
        const expected = await database.sql<{ id: string }>(
          `SELECT id FROM payment_requests WHERE merchant_id = $1
             AND ($2::text IS NULL OR invoice_number = $2)
             AND ($3::text IS NULL OR payer_email = $3)
           ORDER BY created_at DESC, id DESC LIMIT 400`,
          [merchantId, filters.invoiceNumber ?? null, filters.payerEmail ?? null],
        );
        for (const limit of [3, 21, 100, 500]) {
          const found = await pages({ merchantId, filters, limit, most: expected.length });
          assert.deepEqual(
            found.slice(0, expected.length).map(({ id }) => id),
            expected.map(({ id }) => id),
            `${merchantId}, ${JSON.stringify(filters)}, pages of ${limit}`,
          );
          assert.ok(found.every(({ merchant }) => merchant.id === merchantId));
        }
      }
    }
  });

  interface PagesAsked {
    readonly merchantId: string;
    readonly filters: Filters;
    readonly limit: number;
    readonly most: number;
  }

  /** Reads page by page, until a page is not full or `most` rows are found. */
  async function pages({ merchantId, filters, limit, most }: PagesAsked) {
    const found: PaymentRequest[] = [];
    for (let isOver = false; !isOver && found.length < most; ) {
      const page = await findPaymentRequestPage(database.db, {
        merchantId,
        filters: { ...NO_FILTERS, ...filters },
        now: NOW,
        after: found.at(-1) ?? null,
        limit,
      });
      found.push(...page);
      isOver = page.length < limit;
    }
    return found;
  }
});
