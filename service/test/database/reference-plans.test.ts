import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { FIND_ABOUT } from '#cases/case-store.ts';
import type { Statement } from '#database/database.ts';
import { findRelated } from '#payment-requests/lookup/related-search-store.ts';
import { SEARCH_FIELDS, searchStatement } from '#payment-requests/lookup/search-store.ts';
import { readSearchTerms } from '#payment-requests/lookup/search-terms.ts';
import type { Status } from '#payment-requests/model/statuses.ts';
import { NO_FILTERS } from '#payment-requests/read/filters.ts';
import { paymentRequestPage } from '#payment-requests/read/list-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { SEEDED, seedPaymentRequests } from '../support/payment-requests/seed.ts';
import { type PlanNode, planNodes } from '../support/plan-nodes.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const INDEX = 'payment_requests_by_network_reference';

describe('a search for a reference among 20,000 payment requests', () => {
  let database: TestDatabase;
  let client: pg.Client;

  before(async () => {
    database = await createTestDatabase('sandbox');
    await database.planAsInProduction();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await seedPaymentRequests(client, { rows: 20_000, now: NOW });
    await client.query('ANALYZE merchants');
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  async function nodesOf(text: string, values: readonly unknown[]): Promise<readonly PlanNode[]> {
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, [...values]);
    return planNodes(rows);
  }
  function assertNoTableIsRead(nodes: readonly PlanNode[]): void {
    const read = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
    assert.ok(!read.some((node) => node['Relation Name'] === 'payment_requests'));
  }

  const cases: readonly (readonly [string, string, readonly Status[] | null])[] = [
    ['REF-77', SEEDED.giant, null],
    ['REF-none', SEEDED.giant, null],
    ['REF-77', 'mer_7', null],
    ['REF-77', SEEDED.giant, ['PAID']],
    ['REF-77', SEEDED.giant, ['PAID', 'FAILED']],
  ];
  for (const [networkReference, merchantId, statuses] of cases) {
    const title = `${networkReference} of ${merchantId}, ${statuses ?? 'any status'}`;
    it(`reads the index for ${title}`, async () => {
      const { statement, values } = paymentRequestPage({
        merchantId,
        filters: { ...NO_FILTERS, networkReference, statuses },
        now: NOW,
        after: null,
        limit: 21,
      });
      const nodes = await nodesOf(statement.text, values);
      assertNoTableIsRead(nodes);
      const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
      assert.ok(indexes.includes(INDEX), indexes.join());
      assert.ok(!indexes.includes('payment_requests_of_merchant'), indexes.join());
    });
  }

  it('has an index of paid rows only', async () => {
    const rows = await database.sql<{ kept: string; paid: string }>(
      `SELECT (SELECT reltuples::bigint FROM pg_class WHERE relname = '${INDEX}') AS kept,
         (SELECT count(*) FROM payment_requests WHERE status = 'PAID') AS paid`,
    );
    assert.ok(Number(rows[0]?.paid) > 0);
    assert.equal(rows[0]?.kept, rows[0]?.paid);
  });

  const searched: readonly (readonly [string, string])[] = [
    ['a reference', 'REF-77'],
    ['an id', '018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f'],
    ['a short code', 'abcdefabcdefabcd'],
    ['an invoice that many merchants have', 'N/A'],
    ['an e-mail address that many payers have', 'none@shop.example'],
    ['a phone number', '+1 416 396-8548'],
    ['an amount', '123.00'],
  ];
  for (const merchantIds of [null, ['mer_7'], [SEEDED.giant, SEEDED.small]]) {
    for (const [title, text] of searched) {
      const where = `in ${merchantIds?.length ?? 'all'} merchants`;
      it(`reads indexes only to find ${title} ${where}`, async () => {
        const terms = readSearchTerms(text);
        assert.ok(terms);
        const asked = { terms, fields: SEARCH_FIELDS, merchantIds, most: 21 };
        const { statement, values } = searchStatement(asked);
        const nodes = await nodesOf(statement.text, values);
        assertNoTableIsRead(nodes);
        const { rows } = await client.query(statement.text, [...values]);
        const isRare = ['an id', 'a short code'].includes(title) || merchantIds !== null;
        assert.ok(isRare || rows.length > 0, `${rows.length} hits`);
        assert.ok(rows.length <= 21);
      });
    }
  }

  it('reads indexes only to find an amount on a day', async () => {
    const terms = readSearchTerms('123.00');
    assert.ok(terms);
    const within = { from: new Date(NOW.getTime() - 86_400_000), to: NOW };
    const asked = { terms, fields: SEARCH_FIELDS, merchantIds: null, most: 21, within };
    const { statement, values } = searchStatement(asked);
    assertNoTableIsRead(await nodesOf(statement.text, values));
  });

  it('reads indexes only to find the references of refunds, movements and webhooks', async () => {
    // The planner reads an empty table whole, which is right; this plan must name the indexes.
    await client.query('SET enable_seqscan = off');
    const statements: [Statement, readonly unknown[]][] = [];
    const executor = {
      query: async (statement: Statement, values: readonly unknown[] = []) => {
        statements.push([statement, values]);
        return [];
      },
    };
    const terms = readSearchTerms('018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f');
    assert.ok(terms);
    await findRelated(executor, terms, null);
    const [[{ text } = { text: '' }, values = []] = []] = statements;
    const nodes = await nodesOf(text, values);
    await client.query('RESET enable_seqscan');
    assert.deepEqual(
      nodes.filter((node) => node['Node Type'] === 'Seq Scan'),
      [],
    );
    const indexes = new Set(nodes.flatMap((node) => node['Index Name'] ?? []));
    // Any index of an empty table costs the same: webhook events have several with the id.
    const named = [...indexes].filter((name) => !name.startsWith('webhook_events'));
    assert.deepEqual(named.sort(), [
      'ledger_entries_assigned',
      'ledger_entries_incoming_once',
      'ledger_entries_return_once',
      'operator_cases_pkey',
      'refunds_by_merchant_refund_id',
      'refunds_by_network_reference',
      'refunds_pkey',
      'webhook_deliveries_pkey',
    ]);
  });

  it('reads two indexes for the cases about a network reference', async () => {
    await client.query(
      `INSERT INTO operator_cases (id, kind, details, opened_at)
       SELECT gen_random_uuid(), 'UNMATCHED_MONEY', CASE WHEN n % 2 = 0
         THEN jsonb_build_object('networkReference', 'CASE-' || n)
         ELSE jsonb_build_object('networkReferences', jsonb_build_array('CASE-' || n)) END, $1
       FROM generate_series(1, 20000) n`,
      [NOW],
    );
    await client.query('VACUUM ANALYZE operator_cases');
    const nodes = await nodesOf(FIND_ABOUT.text, ['CASE-8']);
    assert.ok(!nodes.some((node) => node['Node Type'] === 'Seq Scan'));
    assert.deepEqual(nodes.flatMap((node) => node['Index Name'] ?? []).sort(), [
      'operator_cases_by_reference',
      'operator_cases_by_references',
    ]);
  });
});
