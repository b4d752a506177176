import assert from 'node:assert/strict';
import type { LedgerOwner } from '#ledger/entries/ledger-cursor.ts';
import { nextDate, startOfDate } from '#ledger/model/day.ts';
import { type CurrencySum, sumBefore } from '#ledger/report/opening-store.ts';
import { findHorizon } from '#ledger/report/report-store.ts';
import type { TestDatabase } from '../database.ts';

/** All entries of days before a day, without a look at sums of days. */
const fromLedger = (table: string) => `
  SELECT currency, sum(amount_cents)::int AS "amountCents" FROM ${table}
  WHERE merchant_id IS NOT DISTINCT FROM $1 AND transaction_id < $2::xid8
    AND CASE WHEN booking_date IS NULL THEN created_at < $3 ELSE booking_date < $4::date END
  GROUP BY currency ORDER BY currency`;

export interface OpeningAsked {
  readonly owner: LedgerOwner;
  readonly date: string;
  readonly timeZone: string;
  /** Runs after the report has found its horizon. */
  readonly meanwhile?: () => Promise<unknown>;
  /** A copy of the ledger, also with entries that retention deleted. */
  readonly copy?: string;
}

/** Asserts that the opening sums of a day equal the sums over all earlier entries. */
export async function assertOpensRight(
  { db, sql }: TestDatabase,
  { owner, date, timeZone, meanwhile, copy }: OpeningAsked,
): Promise<void> {
  const startsAt = startOfDate(date, timeZone);
  const day = { date, startsAt, endsAt: startOfDate(nextDate(date), timeZone) };
  const horizon = await findHorizon(db, owner, null);
  await meanwhile?.();
  const found = await sumBefore(db, owner, day, horizon);
  found.sort((a, b) => (a.currency < b.currency ? -1 : 1));
  const values = [owner, horizon.below, startsAt, date];
  const expected = await sql<CurrencySum>(fromLedger(copy ?? 'ledger_entries'), values);
  // Sums of deleted entries can be zero, and still name their currency.
  const isShown = ({ amountCents }: CurrencySum) => copy === undefined || amountCents !== 0;
  const what = `${owner} on ${date} in ${timeZone}`;
  assert.deepEqual(found.filter(isShown), expected.filter(isShown), what);
}
