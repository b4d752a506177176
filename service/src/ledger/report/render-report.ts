import { entryMembers, type StoredEntry } from '#ledger/model/stored-entry.ts';
import { type CsvCell, csvLine } from '#lib/csv.ts';
import { formatInstant } from '#lib/instant.ts';
import { amountNumber, formatAmount } from '#lib/money.ts';
import type { Items, Report, ReportDeps } from './make-report.ts';
import type { PaidRequest } from './report-store.ts';

type Settings = Pick<ReportDeps, 'timeZone' | 'currency'>;

/** The members of a report (contract §11, Reconciliation report). */
export function reportMembers(report: Report, { timeZone, currency }: Settings) {
  const [own, ...others] = report.sums.map((sum) => ({
    currency: sum.currency,
    openingSum: amountNumber(sum.openingCents),
    closingSum: amountNumber(sum.closingCents),
  }));
  return {
    date: report.date,
    timeZone,
    ...own,
    otherCurrencies: others,
    totals: report.totals.map(({ amountCents, ...total }) => ({
      ...total,
      amount: amountNumber(amountCents),
    })),
    paidWithoutMoney: itemsMember(report.paidWithoutMoney, (paid) => paidMembers(paid, currency)),
    moneyWithoutPaymentRequest: itemsMember(report.moneyWithoutPaymentRequest, entryMembers),
    ...(report.since && {
      since: { data: report.since.data.map(entryMembers), hasMore: report.since.hasMore },
    }),
    nextCursor: report.nextCursor,
  };
}

function itemsMember<Item>({ count, data }: Items<Item>, members: (item: Item) => object) {
  return { count, data: data.map(members), hasMore: count > data.length };
}

function paidMembers(paid: PaidRequest, currency: string) {
  return {
    paymentRequestId: paid.id,
    amount: amountNumber(paid.amountCents),
    currency,
    networkReference: paid.networkReference,
    completedDateTime: formatInstant(paid.completedAt),
  };
}

const HEADER = [
  'section',
  'date',
  'type',
  'count',
  'amount',
  'currency',
  'id',
  'paymentRequestId',
  'refundId',
  'networkReference',
  'bankReference',
  'bookingDate',
  'dateTime',
] as const;
type Column = (typeof HEADER)[number];

/** A report as CSV: a row for each sum and item, whose section is the member's name. */
export function reportCsv(report: Report, { currency }: Settings): string {
  const { date } = report;
  const rows: Partial<Record<Column, CsvCell>>[] = [
    ...report.sums.flatMap((sum) => [
      { section: 'openingSum', date, ...moneyCells(sum.openingCents, sum.currency) },
      { section: 'closingSum', date, ...moneyCells(sum.closingCents, sum.currency) },
    ]),
    ...report.totals.map((total) => ({
      section: 'totals',
      date,
      type: total.type,
      count: { decimal: String(total.count) },
      ...moneyCells(total.amountCents, total.currency),
    })),
    ...report.paidWithoutMoney.data.map((paid) => ({
      section: 'paidWithoutMoney',
      date,
      ...moneyCells(paid.amountCents, currency),
      paymentRequestId: paid.id,
      networkReference: paid.networkReference,
      dateTime: formatInstant(paid.completedAt),
    })),
    ...report.moneyWithoutPaymentRequest.data.map((entry) => ({
      section: 'moneyWithoutPaymentRequest',
      date,
      ...entryCells(entry),
    })),
    ...(report.since?.data ?? []).map((entry) => ({ section: 'since', ...entryCells(entry) })),
    { section: 'nextCursor', id: report.nextCursor },
  ];
  const lines = rows.map((row) => csvLine(HEADER.map((name) => row[name] ?? null)));
  return [csvLine(HEADER), ...lines].join('');
}

function moneyCells(amountCents: number, currency: string) {
  return { amount: { decimal: formatAmount(amountCents) }, currency };
}

function entryCells(entry: StoredEntry) {
  return {
    type: entry.type,
    ...moneyCells(entry.amountCents, entry.currency),
    id: entry.id,
    paymentRequestId: entry.paymentRequestId,
    refundId: entry.refundId,
    networkReference: entry.networkReference,
    bankReference: entry.bankReference,
    bookingDate: entry.bookingDate,
    dateTime: formatInstant(entry.createdAt),
  };
}
