import { COMMIT_START, type CommitPlace } from '#database/commit-order/commit-cursor.ts';
import type { Executor } from '#database/database.ts';
import { findEntries, findEntriesById } from '#ledger/entries/entry-store.ts';
import {
  decodeLedgerCursor,
  encodeLedgerCursor,
  type LedgerOwner,
  notACursor,
  otherDatabase,
} from '#ledger/entries/ledger-cursor.ts';
import { isDate, nextDate, startOfDate } from '#ledger/model/day.ts';
import type { StoredEntry } from '#ledger/model/stored-entry.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { FieldFault } from '#lib/problem.ts';
import { type CurrencySum, sumBefore } from './opening-store.ts';
import {
  findHorizon,
  findLastDay,
  findLastPlace,
  findPaidWithoutMoney,
  findWithoutRequest,
  type PaidRequest,
  type ReportDay,
  sumDay,
  type TypeSum,
} from './report-store.ts';

/** Items of a list of the report: 300 kB; the count tells how many there are. */
export const MOST_ITEMS = 1_000;

export interface ReportDeps {
  readonly db: Executor;
  /** `TIME_ZONE` */
  readonly timeZone: string;
  /** ISO 4217: the deployment's one. */
  readonly currency: string;
}

export interface DaySum {
  readonly currency: string;
  readonly openingCents: number;
  readonly closingCents: number;
}

/** A list of the report; `data` holds at most MOST_ITEMS. */
export interface Items<Item> {
  readonly count: number;
  readonly data: readonly Item[];
}

export interface Report {
  readonly owner: LedgerOwner;
  readonly date: string;
  /** The deployment's currency first; others as the ledger has them. */
  readonly sums: readonly DaySum[];
  readonly totals: readonly TypeSum[];
  readonly paidWithoutMoney: Items<PaidRequest>;
  readonly moneyWithoutPaymentRequest: Items<StoredEntry>;
  /** null: no cursor was given. */
  readonly since: { readonly data: readonly StoredEntry[]; readonly hasMore: boolean } | null;
  readonly nextCursor: string;
}

export interface ReportScope {
  /** A date such as `2026-03-01`. */
  readonly date: string;
  /** A cursor of the caller; undefined: none. */
  readonly since?: string | undefined;
}

/**
 * The report of one day (contract §11, Reconciliation report). All its parts count the same
 * entries: those that a cursor can pass at this moment.
 *
 * @throws Problem VALIDATION_ERROR for a date that does not exist, or another ledger's cursor
 */
export async function makeReport(
  { db, timeZone, currency }: ReportDeps,
  owner: LedgerOwner,
  asked: ReportScope,
  faults: readonly FieldFault[] = [],
): Promise<Report> {
  const { day, since } = readAsked(owner, asked, faults, timeZone);
  const horizon = await findHorizon(db, owner, since);
  if (horizon.isForeign) throwFaults([otherDatabase('since')]);
  const opening = await sumBefore(db, owner, day, horizon);
  const totals = await sumDay(db, owner, day, horizon);
  const paid = owner === null ? NONE : await findPaidWithoutMoney(db, owner, day, MOST_ITEMS);
  const open = await findWithoutRequest(db, owner, day, horizon, MOST_ITEMS);
  const news = since && (await readSince(db, owner, since, horizon.below));
  const last = news?.data.at(-1) ?? since ?? (await findLastPlace(db, owner, horizon));
  return {
    owner,
    date: day.date,
    sums: daySums(currency, opening, totals),
    totals,
    paidWithoutMoney: paid,
    moneyWithoutPaymentRequest: { ...open, data: await findEntriesById(db, open.ids) },
    since: news,
    nextCursor: encodeLedgerCursor(owner, last ?? COMMIT_START),
  };
}

/** The day of the latest money, of a merchant or with null of all; null: there is none. */
export function readLastDay(
  { db, timeZone }: Omit<ReportDeps, 'currency'>,
  merchantId: string | null,
): Promise<string | null> {
  return findLastDay(db, timeZone, merchantId);
}

const NONE: Items<never> = { count: 0, data: [] };
const ALL_DAYS = { from: null, to: null, fromAt: null, toAt: null };

async function readSince(db: Executor, owner: LedgerOwner, after: CommitPlace, below: string) {
  const asked = { owner, days: ALL_DAYS, types: null, paymentRequestId: null, after };
  const found = await findEntries(db, { ...asked, limit: MOST_ITEMS + 1 });
  // Entries that a cursor could pass only now are not in the sums: the next report has them.
  const entries = found.entries.filter((each) => BigInt(each.transactionId) < BigInt(below));
  return { data: entries.slice(0, MOST_ITEMS), hasMore: entries.length > MOST_ITEMS };
}

function daySums(
  currency: string,
  opening: readonly CurrencySum[],
  totals: readonly TypeSum[],
): DaySum[] {
  const currencies = new Set([currency, ...[...opening, ...totals].map((each) => each.currency)]);
  const sumOf = (sums: readonly CurrencySum[], of: string) =>
    sums.reduce((sum, each) => (each.currency === of ? sum + each.amountCents : sum), 0);
  return [...currencies].map((each) => {
    const openingCents = sumOf(opening, each);
    return { currency: each, openingCents, closingCents: openingCents + sumOf(totals, each) };
  });
}

function readAsked(
  owner: LedgerOwner,
  asked: ReportScope,
  schemaFaults: readonly FieldFault[],
  timeZone: string,
): { readonly day: ReportDay; readonly since: CommitPlace | null } {
  const found = [...schemaFaults];
  const isFaulty = (field: string) => found.some((fault) => fault.field === field);
  const { date } = asked;
  if (!isFaulty('date') && !isDate(date)) {
    const message = 'Give date as a date that exists.';
    found.push({ field: 'date', code: 'INVALID_FORMAT', message });
  }
  const since = asked.since && !isFaulty('since') ? decodeLedgerCursor(owner, asked.since) : null;
  if (asked.since && !isFaulty('since') && since === null) found.push(notACursor('since'));
  throwFaults(found);
  return { day: dayOf(date, timeZone), since };
}

function dayOf(date: string, timeZone: string): ReportDay {
  return {
    date,
    startsAt: startOfDate(date, timeZone),
    endsAt: startOfDate(nextDate(date), timeZone),
  };
}
