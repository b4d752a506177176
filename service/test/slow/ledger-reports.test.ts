import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { COMMIT_START } from '#database/commit-order/commit-cursor.ts';
import { sumDays } from '#ledger/day-sums/sum-days.ts';
import { entriesPage, findEntries } from '#ledger/entries/entry-store.ts';
import { startOfDate } from '#ledger/model/day.ts';
import { makeReport } from '#ledger/report/make-report.ts';
import { findSummedPlace, sumBeforeStatement } from '#ledger/report/opening-store.ts';
import { findHorizon } from '#ledger/report/report-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const ENTRIES = 1_000_000;
const MERCHANT = 'mer_large';

let database: TestDatabase;

before(async () => {
  database = await createTestDatabase('sandbox', new Date('2027-01-01T00:00:00Z'));
  const { sql } = database;
  await sql(
    `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
       signing_secret_encrypted) VALUES ($1, $1, 'x', '', '')`,
    [MERCHANT],
  );
  // A third is booked by a bank, a day or two after it came; a thousandth was taken back.
  await sql(
    `INSERT INTO ledger_entries (id, merchant_id, type, amount_cents, currency, network_reference,
       booking_date, created_at)
     SELECT gen_random_uuid(), $1, CASE WHEN i % 1000 = 0 THEN 'RETURN' ELSE 'PAYMENT' END,
       CASE WHEN i % 1000 = 0 THEN -100 ELSE 100 END, 'CAD', 'N' || i,
       CASE WHEN i % 3 = 0 THEN (at + interval '1 day')::date END, at
     FROM (SELECT i, '2026-01-01'::timestamptz + i * interval '365 days' / ${ENTRIES} AS at
           FROM generate_series(0, ${ENTRIES} - 1) i) numbers`,
    [MERCHANT],
  );
  await sql('VACUUM ANALYZE ledger_entries');
});
after(() => database?.drop());

const TIME_ZONE = 'America/Toronto';
const deps = () => ({ db: database.db, timeZone: TIME_ZONE, currency: 'CAD' });
const DAY = {
  date: '2026-12-30',
  startsAt: startOfDate('2026-12-30', TIME_ZONE),
  endsAt: startOfDate('2026-12-31', TIME_ZONE),
};

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** The scans of the ledger that a statement ran, and its milliseconds. */
async function explain({ text, values }: { text: string; values: readonly unknown[] }) {
  const [row] = await database.sql<{ 'QUERY PLAN': [{ Plan: Plan; 'Execution Time': number }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    [...values],
  );
  const [{ Plan: plan, 'Execution Time': ms }] = row?.['QUERY PLAN'] ?? assert.fail();
  const all = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(all)];
  const scans = all(plan).filter((node) => node['Relation Name'] === 'ledger_entries');
  return { scans, ms };
}

const entriesRead = (scan: Plan) => scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0);

describe(`with ${ENTRIES} entries of one merchant`, () => {
  it('the sums of a late day are right', async (t) => {
    const report = await makeReport(deps(), MERCHANT, { date: DAY.date });
    const [{ sum } = { sum: 0 }] = await database.sql<{ sum: number }>(
      `SELECT sum(amount_cents)::int AS sum FROM ledger_entries
       WHERE coalesce(booking_date, (created_at AT TIME ZONE '${TIME_ZONE}')::date)
         <= '2026-12-30'`,
    );
    assert.equal(report.sums[0]?.closingCents, sum);
    const horizon = await findHorizon(database.db, MERCHANT, null);
    const place = await findSummedPlace(database.db, horizon);
    assert.deepEqual(place, COMMIT_START);
    const { ms } = await explain(sumBeforeStatement(MERCHANT, DAY, horizon, place));
    t.diagnostic(`opening sum of ${ENTRIES} entries, none summed: ${ms.toFixed(0)} ms`);
  });

  it('the opening sum of a late day reads a small part of the ledger', async (t) => {
    const before = await makeReport(deps(), MERCHANT, { date: DAY.date });
    while (await sumDays(database));
    assert.deepEqual(await makeReport(deps(), MERCHANT, { date: DAY.date }), before);
    const horizon = await findHorizon(database.db, MERCHANT, null);
    const place = await findSummedPlace(database.db, horizon);
    const { scans, ms } = await explain(sumBeforeStatement(MERCHANT, DAY, horizon, place));
    t.diagnostic(`opening sum of ${ENTRIES} entries: ${ms.toFixed(0)} ms`);
    const read = scans.reduce((sum, each) => sum + entriesRead(each), 0);
    assert.ok(read < ENTRIES / 100, `${read} entries`);
  });

  it('a page of a late day, and of a rare type, reads a small part of the ledger', async (t) => {
    const base = { owner: MERCHANT, paymentRequestId: null, after: COMMIT_START, limit: 101 };
    const none = { from: null, to: null, fromAt: null, toAt: null };
    const { date, startsAt, endsAt } = DAY;
    const days = { from: date, to: date, fromAt: startsAt, toAt: endsAt };
    for (const [name, filter] of [
      ['day', { days, types: null }],
      ['type', { days: none, types: ['RETURN'] as const }],
    ] as const) {
      const asked = { ...base, ...filter };
      assert.equal((await findEntries(database.db, asked)).entries.length, 101);
      const { statement, values } = entriesPage(asked);
      const { scans, ms } = await explain({ ...statement, values });
      t.diagnostic(`page of a rare ${name}: ${ms.toFixed(0)} ms`);
      const read = scans.reduce((sum, each) => sum + entriesRead(each), 0);
      assert.ok(read > 0 && read < ENTRIES / 20, `${name}: ${read} entries`);
    }
  });
});
