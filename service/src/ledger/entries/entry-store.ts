import {
  COMMIT_BOUNDS,
  COMMIT_START,
  type CommitPlace,
} from '#database/commit-order/commit-cursor.ts';
import type { Executor, Statement } from '#database/database.ts';
import { allRows, valuesOf } from '#database/statements.ts';
import type { LedgerOwner } from '#ledger/entries/ledger-cursor.ts';
import type { EntryType } from '#ledger/model/entry.ts';
import type { StoredEntry } from '#ledger/model/stored-entry.ts';

/** The days of a range, and the instants at which they begin and end in the time zone. */
export interface DayRange {
  /** Inclusive, as in `2026-03-01`; null: no bound. */
  readonly from: string | null;
  readonly to: string | null;
  readonly fromAt: Date | null;
  /** Exclusive. */
  readonly toAt: Date | null;
}

export interface StoredEntriesQuery {
  readonly owner: LedgerOwner;
  readonly days: DayRange;
  /** null: all types. */
  readonly types: readonly EntryType[] | null;
  readonly paymentRequestId: string | null;
  /** Entries that the service recorded at this instant or later; left out: all. */
  readonly recordedFrom?: Date;
  readonly after: CommitPlace;
  readonly limit: number;
}

export interface EntriesFound {
  /** In the order of commits. */
  readonly entries: readonly StoredEntry[];
  /** The place is of another history than this database's (decision 0063). */
  readonly isForeign: boolean;
  /** The latest day of which retention deleted an entry, as in `2026-03-01`; null: none. */
  readonly prunedDay: string | null;
}

const COLUMNS = `e.id::text, e.merchant_id AS "merchantId", e.type,
  e.amount_cents AS "amountCents", e.currency, e.payment_request_id::text AS "paymentRequestId",
  e.refund_id::text AS "refundId", e.network_reference AS "networkReference",
  e.bank_reference AS "bankReference", e.booking_date AS "bookingDate",
  e.created_at AS "createdAt", e.transaction_id::text AS "transactionId",
  e.position::text AS position`;

/**
 * No index holds days or types in the order of commits. The statement scans the next 100 entries
 * for each entry of the limit. If these hold too few matches the filter is rare, and the indexes of
 * days and types find all its entries. The bounds keep the first scan between some 2 and 20 ms.
 */
const LOOKED_AT_FOR_ONE = 100;
const MOST_LOOKED_AT = 10_000;

/** Up to `limit` entries after a place, which no open transaction can still precede. */
export async function findEntries(db: Executor, asked: StoredEntriesQuery): Promise<EntriesFound> {
  const { statement, values } = entriesPage(asked);
  type Row = StoredEntry & Omit<EntriesFound, 'entries'> & { readonly id: string | null };
  const rows = await db.query<Row>(statement, values);
  const entries = rows
    .filter(({ id }) => id !== null)
    .map(({ isForeign: _, prunedDay: __, ...entry }) => entry);
  const [first] = rows;
  return {
    entries,
    isForeign: first?.isForeign ?? false,
    prunedDay: first?.prunedDay ?? null,
  };
}

const FIND_BY_ID: Statement = {
  name: 'ledger-find-by-id',
  text: `SELECT ${COLUMNS} FROM ledger_entries e WHERE e.id = ANY ($1::uuid[])
         ORDER BY e.transaction_id, e.position`,
};

/** Entries by their ids, in the order of commits. */
export function findEntriesById(db: Executor, ids: readonly string[]): Promise<StoredEntry[]> {
  return ids.length === 0 ? Promise.resolve([]) : db.query(FIND_BY_ID, [ids]);
}

interface OfRequest {
  readonly merchantId: string;
  readonly paymentRequestId: string;
  readonly limit: number;
}

/** The first entries of a payment request, in the order of commits. */
export const findEntriesOfRequest = allRows<StoredEntry, [request: OfRequest]>(
  'ledger-find-of-request',
  `SELECT ${COLUMNS} FROM ledger_entries e
   WHERE e.payment_request_id = $1 AND e.merchant_id = $2
   ORDER BY e.transaction_id, e.position LIMIT $3`,
  valuesOf('paymentRequestId', 'merchantId', 'limit'),
);

/**
 * Builds the statement of a page; exported for EXPLAIN. Without filters it is prepared, and each
 * value is hidden from the planner (decision 0080). Else it has no name, so that PostgreSQL plans
 * it for the values of its filters.
 */
export function entriesPage(asked: StoredEntriesQuery): {
  readonly statement: Statement;
  readonly values: readonly unknown[];
} {
  const values: unknown[] = [];
  const isPrepared = asked.owner !== null && hasNoFilter(asked);
  const bind = (value: unknown) =>
    isPrepared ? `(SELECT $${values.push(value)}::text)` : `$${values.push(value)}`;
  const after = `${bind(asked.after.transactionId)}::xid8, ${bind(asked.after.position)}::bigint`;
  const within = [...ownConditions(asked, bind), `(transaction_id, position) > (${after})`];
  const wanted = filterConditions(asked, bind);
  const most = bind(asked.limit);
  const [parts, rows] =
    wanted.length === 0
      ? [[wholePage(within, most)], 'page e']
      : [
          filteredPage(asked, within, wanted, bind, most),
          '(page JOIN ledger_entries e USING (id))',
        ];
  const text = `${COMMIT_BOUNDS}, ${parts.join(',\n')}
    SELECT ${isForeignPlace(asked.owner, asked.after, bind)} AS "isForeign",
      (SELECT max(day) FROM ledger_pruned_sums
       WHERE merchant_id = ${bind(asked.owner ?? '')}) AS "prunedDay", ${COLUMNS}
    FROM bounds LEFT JOIN ${rows} ON true
    ORDER BY e.transaction_id, e.position`;
  const isStart = asked.after.transactionId === COMMIT_START.transactionId;
  const name = isPrepared ? `ledger-page${isStart ? '' : '-after'}` : '';
  return { statement: { name, text }, values };
}

/** The entries that match a query, of one currency. */
export interface EntriesSum {
  readonly currency: string;
  readonly count: number;
  readonly amountCents: number;
}

type Matching = Omit<StoredEntriesQuery, 'after' | 'limit'>;

/** The sums of the first `most` entries that match; no open transaction can still add one. */
export async function sumEntries(
  db: Executor,
  asked: Matching,
  most: number,
): Promise<readonly EntriesSum[]> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = [...ownConditions(asked, bind), ...filterConditions(asked, bind)];
  const text = `${COMMIT_BOUNDS}, found AS MATERIALIZED (
      SELECT currency, amount_cents FROM ledger_entries
      WHERE ${conditions.join(' AND ')} LIMIT ${bind(most)}::int)
    SELECT currency, count(*)::int AS count, sum(amount_cents)::bigint AS "amountCents"
    FROM found GROUP BY currency ORDER BY currency`;
  return db.query<EntriesSum>({ name: '', text }, values);
}

/** The conditions that the order of pages serves. */
function ownConditions({ owner, paymentRequestId }: Matching, bind: Bind): string[] {
  return [
    ownerCondition(owner, bind),
    'transaction_id < (SELECT oldest_running FROM bounds)',
    ...(paymentRequestId === null ? [] : [`payment_request_id = ${bind(paymentRequestId)}::uuid`]),
  ];
}

function filterConditions(asked: Matching, bind: Bind): string[] {
  const { days, recordedFrom } = asked;
  return [
    ...typeConditions(asked),
    ...dayConditions(days, bind),
    ...(recordedFrom ? [`created_at >= ${bind(recordedFrom)}::timestamptz`] : []),
  ];
}

function hasNoFilter({ days, types, recordedFrom, paymentRequestId }: StoredEntriesQuery): boolean {
  return [days.from, days.to, types, recordedFrom ?? null, paymentRequestId].every(
    (value) => value === null,
  );
}

export type Bind = (value: unknown) => string;

const OLDEST_FIRST = 'ORDER BY transaction_id, position';
const PLACED = 'id, transaction_id, position';

function wholePage(within: readonly string[], most: string): string {
  return `page AS MATERIALIZED (
    SELECT * FROM ledger_entries WHERE ${within.join(' AND ')} ${OLDEST_FIRST} LIMIT ${most}::int)`;
}

function filteredPage(
  { limit }: StoredEntriesQuery,
  within: readonly string[],
  wanted: readonly string[],
  bind: Bind,
  most: string,
): string[] {
  const lookedAt = bind(Math.min(limit * LOOKED_AT_FOR_ONE, MOST_LOOKED_AT));
  return [
    `looked_at AS MATERIALIZED (
      SELECT ${PLACED}, type, booking_date, created_at FROM ledger_entries
      WHERE ${within.join(' AND ')} ${OLDEST_FIRST} LIMIT ${lookedAt})`,
    `near AS MATERIALIZED (
      SELECT ${PLACED} FROM looked_at WHERE ${wanted.join(' AND ')} ${OLDEST_FIRST} LIMIT ${most})`,
    `border AS MATERIALIZED (
      SELECT transaction_id, position FROM looked_at
      ORDER BY transaction_id DESC, position DESC LIMIT 1)`,
    // Without ORDER BY here, the planner chooses the fastest way to all entries.
    `far AS MATERIALIZED (
      SELECT ${PLACED} FROM ledger_entries
      WHERE (SELECT count(*) FROM near) < ${most} AND (SELECT count(*) FROM looked_at) = ${lookedAt}
        AND (transaction_id, position) >
          ((SELECT transaction_id FROM border), (SELECT position FROM border))
        AND ${[...within, ...wanted].join(' AND ')})`,
    `page AS MATERIALIZED (
      SELECT id FROM (SELECT * FROM near UNION ALL
        (SELECT * FROM far ${OLDEST_FIRST} LIMIT ${most})) both_parts
      ${OLDEST_FIRST} LIMIT ${most})`,
  ];
}

/**
 * Whether the ledger has no entry at a place that a cursor names, and retention deleted none there;
 * needs the bounds.
 */
export function isForeignPlace(owner: LedgerOwner, at: CommitPlace, bind: Bind): string {
  if (at.transactionId === COMMIT_START.transactionId) return 'false';
  const transactionId = `${bind(at.transactionId)}::xid8`;
  return `(${transactionId} >= bounds.next
    OR ${transactionId} > (SELECT transaction_id FROM ledger_pruned) AND NOT EXISTS (
      SELECT FROM ledger_entries WHERE ${ownerCondition(owner, bind)}
        AND transaction_id = ${transactionId} AND position = ${bind(at.position)}::bigint))`;
}

/** The condition on the owner of entries. */
export function ownerCondition(owner: LedgerOwner, bind: Bind): string {
  return owner === null ? 'merchant_id IS NULL' : `merchant_id = ${bind(owner)}`;
}

/** Literals, as the planner proves with them that a partial index holds all entries. */
function typeConditions({ types }: Pick<StoredEntriesQuery, 'types'>): string[] {
  return types === null ? [] : [`type IN (${types.map((type) => `'${type}'`).join(', ')})`];
}

/** An entry's day is its booking date, or without one the day of its creation. */
function dayConditions({ from, to, fromAt, toAt }: DayRange, bind: Bind): string[] {
  if (from === null && to === null) return [];
  const booked = [
    'booking_date IS NOT NULL',
    ...(from === null ? [] : [`booking_date >= ${bind(from)}::date`]),
    ...(to === null ? [] : [`booking_date <= ${bind(to)}::date`]),
  ];
  const created = [
    'booking_date IS NULL',
    ...(fromAt === null ? [] : [`created_at >= ${bind(fromAt)}::timestamptz`]),
    ...(toAt === null ? [] : [`created_at < ${bind(toAt)}::timestamptz`]),
  ];
  return [`(${booked.join(' AND ')} OR ${created.join(' AND ')})`];
}
