import {
  COMMIT_BOUNDS,
  COMMIT_START,
  type CommitPlace,
} from '#database/commit-order/commit-cursor.ts';
import type { Executor } from '#database/database.ts';
import { IS_PLACE_OF_LEDGER } from '#ledger/day-sums/day-sums-store.ts';
import { type Bind, ownerCondition } from '#ledger/entries/entry-store.ts';
import type { LedgerOwner } from '#ledger/entries/ledger-cursor.ts';
import type { Horizon, ReportDay } from './report-store.ts';

export interface CurrencySum {
  readonly currency: string;
  readonly amountCents: number;
}

/** More tries meet a run of the loop each time: then the ledger alone is read. */
const MOST_TRIES = 3;

/**
 * The sums of all entries of days before the day, by currency (decision 0076). The sums by day give
 * most of them; the ledger gives the entries that these lack. Entries that retention deleted stand
 * in sums of their own (decision 0104).
 */
export async function sumBefore(
  db: Executor,
  ...[owner, day, horizon]: [owner: LedgerOwner, day: ReportDay, horizon: Horizon]
): Promise<CurrencySum[]> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const place = await findSummedPlace(db, horizon);
    const found = await sumFrom(db, owner, day, horizon, place);
    // The loop has moved on since: its sums hold other entries.
    if (found) return found;
  }
  return (await sumFrom(db, owner, day, horizon, COMMIT_START)) ?? [];
}

const FIND_PLACE = `${COMMIT_BOUNDS}
  SELECT p.transaction_id::text AS "transactionId", p.position::text
  FROM bounds, ledger_day_sums_progress p
  WHERE ${IS_PLACE_OF_LEDGER} AND p.transaction_id < $1::xid8`;

/** The place up to which the sums hold the ledger; the start where a report cannot use them. */
export async function findSummedPlace(db: Executor, { below }: Horizon): Promise<CommitPlace> {
  const statement = { name: 'ledger-report-find-summed-place', text: FIND_PLACE };
  const [row] = await db.query<CommitPlace>(statement, [below]);
  return row ?? COMMIT_START;
}

/** @returns null: the sums are not those of the place */
async function sumFrom(
  db: Executor,
  ...asked: Parameters<typeof sumBeforeStatement>
): Promise<CurrencySum[] | null> {
  type Row = CurrencySum & { readonly isOfPlace: boolean };
  const { text, values } = sumBeforeStatement(...asked);
  const rows = await db.query<Row>({ name: '', text }, values);
  if (rows[0]?.isOfPlace !== true) return null;
  return rows
    .filter(({ currency }) => currency !== null)
    .map(({ currency, amountCents }) => ({ currency, amountCents }));
}

/**
 * Builds the statement of the opening sums; exported for EXPLAIN. An entry counts in one of three
 * parts: created within the last, incomplete day of UTC before the day begins; of an earlier day
 * and up to the place; of an earlier day and after the place.
 *
 * @param place a value and not a subquery, so that PostgreSQL knows how few entries follow it
 */
export function sumBeforeStatement(
  owner: LedgerOwner,
  { date, startsAt }: ReportDay,
  { below }: Horizon,
  place: CommitPlace,
): { readonly text: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const ours = `${ownerCondition(owner, bind)} AND transaction_id < ${bind(below)}::xid8`;
  const day = `${bind(date)}::date`;
  const start = `${bind(startsAt)}::timestamptz`;
  const utcDay = `(${start} AT TIME ZONE 'UTC')::date`;
  const utcStart = `(${utcDay}::timestamp AT TIME ZONE 'UTC')`;
  const summed = `merchant_id = ${bind(owner ?? '')}`;
  const parts = [
    `SELECT currency, amount_cents FROM ledger_entries WHERE ${ours} AND booking_date IS NULL
       AND created_at >= ${utcStart} AND created_at < ${start}`,
    `SELECT currency, amount_cents FROM ledger_pruned_sums WHERE ${summed} AND day < ${day}`,
  ];
  let isOfPlace = 'true';
  if (place.transactionId === COMMIT_START.transactionId) {
    // The indexes of days hold all columns: no entry is read.
    parts.push(
      `SELECT currency, amount_cents FROM ledger_entries
       WHERE ${ours} AND booking_date IS NOT NULL AND booking_date < ${day}`,
      `SELECT currency, amount_cents FROM ledger_entries
       WHERE ${ours} AND booking_date IS NULL AND created_at < ${utcStart}`,
    );
  } else {
    const at = `${bind(place.transactionId)}::xid8, ${bind(place.position)}::bigint`;
    isOfPlace = `EXISTS (SELECT FROM ledger_day_sums_progress
      WHERE (transaction_id, position) = (${at}))`;
    parts.push(
      `SELECT currency, amount_cents FROM ledger_day_sums
       WHERE ${summed} AND is_booked AND day < ${day}`,
      `SELECT currency, amount_cents FROM ledger_day_sums
       WHERE ${summed} AND NOT is_booked AND day < ${utcDay}`,
      `SELECT currency, amount_cents FROM ledger_entries
       WHERE ${ours} AND (transaction_id, position) > (${at})
         AND CASE WHEN booking_date IS NULL THEN created_at < ${utcStart}
                  ELSE booking_date < ${day} END`,
    );
  }
  const text = `
    SELECT ${isOfPlace} AS "isOfPlace", currency, "amountCents"
    FROM (SELECT) always LEFT JOIN (
      SELECT currency, sum(amount_cents)::bigint AS "amountCents"
      FROM (${parts.join(' UNION ALL ')}) earlier GROUP BY currency) sums ON true`;
  return { text, values };
}
