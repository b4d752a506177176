import { COMMIT_START } from '#database/commit-order/commit-cursor.ts';
import type { Executor } from '#database/database.ts';
import { DEFAULT_LIMIT, pagingFaults, type WholeList } from '#database/lists/list.ts';
import {
  decodeLedgerCursor,
  encodeLedgerCursor,
  notACursor,
  otherDatabase,
} from '#ledger/entries/ledger-cursor.ts';
import { isDate, nextDate, startOfDate } from '#ledger/model/day.ts';
import { ENTRY_TYPES, type EntryType } from '#ledger/model/entry.ts';
import { ENTRY_COLUMNS, type StoredEntry } from '#ledger/model/stored-entry.ts';
import { csvForm } from '#lib/csv.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { FieldFault } from '#lib/problem.ts';
import {
  type DayRange,
  type EntriesSum,
  findEntries,
  findEntriesOfRequest,
  type StoredEntriesQuery,
  sumEntries,
} from './entry-store.ts';
import { EntriesQuerySchema, type ShownEntriesQuery } from './schemas.ts';

export interface EntriesDeps {
  readonly db: Executor;
  /** `TIME_ZONE`: the days of entries that no bank has booked. */
  readonly timeZone: string;
}

export interface EntriesPage {
  readonly entries: readonly StoredEntry[];
  readonly hasMore: boolean;
  /** The cursor of the next call; it is never absent. */
  readonly nextCursor: string;
  /** Entries of days before may be gone (decision 0104), as in `2026-03-01`; null: none is. */
  readonly completeFrom: string | null;
}

/**
 * Reads a merchant's ledger after a place (contract §11, Ledger). `makeList` does not fit: a reader
 * goes on behind the last entry for ever, so that each page has a cursor, and a place may be of
 * another database's history.
 *
 * @param faults what the schema found wrong with the parameters
 * @throws Problem VALIDATION_ERROR with all faults at once
 */
export async function readEntries(
  { db, timeZone }: EntriesDeps,
  merchantId: string,
  query: Partial<ShownEntriesQuery>,
  faults: readonly FieldFault[],
): Promise<EntriesPage> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const asked = readQuery(merchantId, query, faults, timeZone);
  // The entry after the page tells whether there are more.
  const found = await findEntries(db, { ...asked, limit: limit + 1 });
  if (found.isForeign) throwFaults([otherDatabase('after')]);
  const entries = found.entries.slice(0, limit);
  return {
    entries,
    hasMore: found.entries.length > limit,
    nextCursor: encodeLedgerCursor(merchantId, entries.at(-1) ?? asked.after),
    completeFrom: found.prunedDay && nextDate(found.prunedDay),
  };
}

/** Some 15 ms of one statement among 100,000 entries. */
export const MOST_SUMMED = 10_000;

/**
 * The sums, by currency, of all entries that a query matches, also on other pages; null:
 * they are more than `MOST_SUMMED`.
 *
 * @throws Problem VALIDATION_ERROR
 */
export async function sumMatching(
  { db, timeZone }: EntriesDeps,
  merchantId: string,
  query: Partial<ShownEntriesQuery>,
): Promise<readonly EntriesSum[] | null> {
  const sums = await sumEntries(db, readQuery(merchantId, query, [], timeZone), MOST_SUMMED + 1);
  return sums.reduce((total, { count }) => total + count, 0) > MOST_SUMMED ? null : sums;
}

/** A payment request has a few entries; one refunded in parts has some hundred. */
const MOST_OF_REQUEST = 100;

/**
 * Reads the first entries of a merchant's payment request. They include those of the latest
 * commits, which a page with a cursor leaves out while an older transaction runs.
 */
export function readEntriesOfRequest(
  { db }: Pick<EntriesDeps, 'db'>,
  merchantId: string,
  paymentRequestId: string,
): Promise<readonly StoredEntry[]> {
  return findEntriesOfRequest(db, { merchantId, paymentRequestId, limit: MOST_OF_REQUEST });
}

const ENTRY_CSV = csvForm<StoredEntry>({
  ...ENTRY_COLUMNS,
  // The `after` of a call that goes on behind the entry.
  cursor: (entry) => encodeLedgerCursor(entry.merchantId, entry),
});

/** All entries of a merchant's ledger after a place. */
export function ledgerList(timeZone: string): WholeList<ShownEntriesQuery, StoredEntry> {
  return {
    name: 'ledger-entries',
    schema: EntriesQuerySchema,
    csv: ENTRY_CSV,
    readAll(merchantId, query, faults) {
      const found = [...pagingFaults(query, ['limit']), ...faults];
      const asked = readQuery(merchantId, query, found, timeZone);
      return {
        async next(db, last, limit) {
          const page = await findEntries(db, { ...asked, after: last ?? asked.after, limit });
          if (page.isForeign) throwFaults([otherDatabase('after')]);
          return page.entries;
        },
      };
    },
  };
}

function readQuery(
  merchantId: string,
  query: Partial<ShownEntriesQuery>,
  schemaFaults: readonly FieldFault[],
  timeZone: string,
): Omit<StoredEntriesQuery, 'limit'> {
  const faulty = new Set(schemaFaults.map(({ field }) => field));
  const { days, faults } = readDays(query, faulty, timeZone);
  const after =
    typeof query.after === 'string' && query.after !== ''
      ? decodeLedgerCursor(merchantId, query.after)
      : COMMIT_START;
  const found = [...schemaFaults, ...faults, ...(after === null ? [notACursor('after')] : [])];
  if (after === null || found.length > 0) throwFaults(found);
  return {
    owner: merchantId,
    days,
    types: readTypes(query.type),
    paymentRequestId: query.paymentRequestId ?? null,
    ...(query.recordedFrom && { recordedFrom: new Date(query.recordedFrom) }),
    after: after ?? COMMIT_START,
  };
}

function readTypes(asked: unknown): readonly EntryType[] | null {
  if (!Array.isArray(asked)) return null;
  const all = Object.keys(ENTRY_TYPES) as EntryType[];
  const types = all.filter((type) => asked.includes(type));
  return types.length === all.length ? null : types;
}

function readDays(
  query: Partial<ShownEntriesQuery>,
  faulty: ReadonlySet<string>,
  timeZone: string,
): { readonly days: DayRange; readonly faults: readonly FieldFault[] } {
  const faults: FieldFault[] = [];
  const read = (field: 'from' | 'to') => {
    const text = query[field];
    if (typeof text !== 'string' || faulty.has(field)) return null;
    if (isDate(text)) return text;
    faults.push({ field, code: 'INVALID_FORMAT', message: `Give ${field} as a date that exists.` });
    return null;
  };
  const from = read('from');
  const to = read('to');
  if (from !== null && to !== null && to < from) {
    faults.push({ field: 'to', code: 'INVALID_VALUE', message: 'Give to no earlier than from.' });
  }
  return {
    days: {
      from,
      to,
      fromAt: from === null ? null : startOfDate(from, timeZone),
      toAt: to === null ? null : startOfDate(nextDate(to), timeZone),
    },
    faults,
  };
}
