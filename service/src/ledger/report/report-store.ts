import {
  COMMIT_BOUNDS,
  COMMIT_START,
  type CommitPlace,
} from '#database/commit-order/commit-cursor.ts';
import type { Executor, Statement } from '#database/database.ts';
import { allValues, hasRows } from '#database/statements.ts';
import { type Bind, isForeignPlace, ownerCondition } from '#ledger/entries/entry-store.ts';
import type { LedgerOwner } from '#ledger/entries/ledger-cursor.ts';
import type { EntryType } from '#ledger/model/entry.ts';

/** A day, and the instants at which it begins and ends in the time zone. */
export interface ReportDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly startsAt: Date;
  /** Exclusive. */
  readonly endsAt: Date;
}

/**
 * The entries that a report counts: those of transactions below a number. All these transactions
 * are over, and the ledger only grows: later statements of the report see the same entries.
 */
export interface Horizon {
  readonly below: string;
  /** The caller's place is of another history than this database's. */
  readonly isForeign: boolean;
}

export interface TypeSum {
  readonly type: EntryType;
  readonly currency: string;
  readonly count: number;
  readonly amountCents: number;
}

export interface PaidRequest {
  readonly id: string;
  readonly amountCents: number;
  readonly completedAt: Date;
  readonly networkReference: string | null;
}

/**
 * @param owner the ledger of the place
 * @param since a place of the caller; null: none
 */
export async function findHorizon(
  db: Executor,
  owner: LedgerOwner,
  since: CommitPlace | null,
): Promise<Horizon> {
  const { values, bind } = binder();
  const isForeign = isForeignPlace(owner, since ?? COMMIT_START, bind);
  const text = `${COMMIT_BOUNDS}
    SELECT oldest_running::text AS below, ${isForeign} AS "isForeign" FROM bounds`;
  const [row] = await db.query<Horizon>({ name: '', text }, values);
  if (!row) throw new Error('the database gave no snapshot');
  return row;
}

/**
 * The place of the last entry below the horizon; null: the ledger is empty. A bare name would sort
 * by the text of the position, which puts 9 behind 10.
 */
export async function findLastPlace(
  db: Executor,
  owner: LedgerOwner,
  { below }: Horizon,
): Promise<CommitPlace | null> {
  const { values, bind } = binder();
  const text = `
    SELECT transaction_id::text AS "transactionId", position::text FROM ledger_entries
    WHERE ${ownerCondition(owner, bind)} AND transaction_id < ${bind(below)}::xid8
    ORDER BY transaction_id DESC, ledger_entries.position DESC LIMIT 1`;
  const [row] = await db.query<CommitPlace>({ name: '', text }, values);
  return row ?? null;
}

/** The day of the latest entry, of a merchant or of all; null: there is none. */
export async function findLastDay(
  db: Executor,
  timeZone: string,
  merchantId: string | null,
): Promise<string | null> {
  const { values, bind } = binder();
  const text = `
    SELECT coalesce(booking_date, (created_at AT TIME ZONE ${bind(timeZone)})::date)::text AS day
    FROM ledger_entries WHERE ${merchantId === null ? 'true' : ownerCondition(merchantId, bind)}
    ORDER BY transaction_id DESC, ledger_entries.position DESC LIMIT 1`;
  const [row] = await db.query<{ day: string }>({ name: '', text }, values);
  return row?.day ?? null;
}

/** The counts and sums of the day's entries, with those that retention deleted (decision 0104). */
export async function sumDay(
  db: Executor,
  owner: LedgerOwner,
  day: ReportDay,
  { below }: Horizon,
): Promise<TypeSum[]> {
  const { values, bind } = binder();
  const ours = `${ownerCondition(owner, bind)} AND transaction_id < ${bind(below)}::xid8`;
  const text = `
    SELECT type, currency, sum(entries)::int AS count, sum(amount_cents)::bigint AS "amountCents"
    FROM (${OF_DAY.map((ofDay) =>
      ofDay('type, currency, 1 AS entries, amount_cents', ours, day, bind),
    ).join(' UNION ALL ')} UNION ALL
      SELECT type, currency, entries, amount_cents FROM ledger_pruned_sums
      WHERE merchant_id = ${bind(owner ?? '')} AND day = ${bind(day.date)}::date) day_entries
    GROUP BY type, currency ORDER BY type, currency`;
  return db.query({ name: '', text }, values);
}

/**
 * The places of the day's entries that name no payment request, in the order of commits.
 * @param most reads no more than this
 */
export async function findWithoutRequest(
  db: Executor,
  owner: LedgerOwner,
  day: ReportDay,
  { below }: Horizon,
  most: number,
): Promise<{ readonly ids: string[]; readonly count: number }> {
  const { values, bind } = binder();
  const ours = `${ownerCondition(owner, bind)} AND transaction_id < ${bind(below)}::xid8
    AND payment_request_id IS NULL AND type <> 'FEE'`;
  const columns = 'id, transaction_id, position';
  const text = `
    SELECT id::text, count(*) OVER ()::int AS count
    FROM (${OF_DAY.map((ofDay) => ofDay(columns, ours, day, bind)).join(' UNION ALL ')}) found
    ORDER BY transaction_id, position LIMIT ${bind(most)}`;
  const rows = await db.query<{ id: string; count: number }>({ name: '', text }, values);
  return { ids: rows.map(({ id }) => id), count: rows[0]?.count ?? 0 };
}

/** The entries that a bank booked on the day, and the entries that came on it without a bank. */
const OF_DAY = [
  (columns: string, ours: string, { date }: ReportDay, bind: Bind) => `
    SELECT ${columns} FROM ledger_entries
    WHERE ${ours} AND booking_date IS NOT NULL AND booking_date = ${bind(date)}::date`,
  (columns: string, ours: string, { startsAt, endsAt }: ReportDay, bind: Bind) => `
    SELECT ${columns} FROM ledger_entries
    WHERE ${ours} AND booking_date IS NULL AND created_at >= ${bind(startsAt)}::timestamptz
      AND created_at < ${bind(endsAt)}::timestamptz`,
] as const;

const FIND_PAID_WITHOUT_MONEY: Statement = {
  name: '',
  text: `
    SELECT p.id::text, p.amount_cents AS "amountCents", p.payment_completed_at AS "completedAt",
      p.payment_network_reference AS "networkReference", count(*) OVER ()::int AS count
    FROM payment_requests p
    WHERE p.merchant_id = $1 AND p.payment_completed_at IS NOT NULL
      AND p.payment_completed_at >= $2 AND p.payment_completed_at < $3
      AND NOT EXISTS (
        SELECT FROM ledger_entries e WHERE e.payment_request_id = p.id AND e.amount_cents > 0)
    ORDER BY p.payment_completed_at, p.id LIMIT $4`,
};

/**
 * Payment requests that became PAID on the day and have no money in the ledger. An entry of an
 * open transaction cannot be missed: it commits with the status.
 */
export async function findPaidWithoutMoney(
  db: Executor,
  merchantId: string,
  { startsAt, endsAt }: ReportDay,
  most: number,
): Promise<{ readonly data: PaidRequest[]; readonly count: number }> {
  type Row = PaidRequest & { readonly count: number };
  const values = [merchantId, startsAt, endsAt, most];
  const rows = await db.query<Row>(FIND_PAID_WITHOUT_MONEY, values);
  return { data: rows, count: rows[0]?.count ?? 0 };
}

/** The owners of money: every merchant that was paid, and null for money without a merchant. */
export const listOwners = allValues<LedgerOwner>(
  'ledger-report-owners',
  `SELECT id AS "owner" FROM merchants m
   WHERE EXISTS (SELECT FROM ledger_entries e WHERE e.merchant_id = m.id)
     OR EXISTS (SELECT FROM payment_requests p
       WHERE p.merchant_id = m.id AND p.payment_completed_at IS NOT NULL)
     OR EXISTS (SELECT FROM ledger_pruned_sums s WHERE s.merchant_id = m.id)
   UNION ALL
   SELECT NULL WHERE EXISTS (SELECT FROM ledger_entries WHERE merchant_id IS NULL)
     OR EXISTS (SELECT FROM ledger_pruned_sums WHERE merchant_id = '')
   ORDER BY 1 NULLS LAST`,
);

/** Whether the merchant exists. */
export const findOwner = hasRows<[merchantId: string]>(
  'ledger-report-owner',
  'SELECT id FROM merchants WHERE id = $1',
);

function binder(): { readonly values: unknown[]; readonly bind: Bind } {
  const values: unknown[] = [];
  return { values, bind: (value) => `$${values.push(value)}` };
}
