import { html } from 'ghtml';
import { readCaseIds } from '#cases/read/read-open-cases.ts';
import { emptyState, type Tile, tiles } from '#console/components/parts.ts';
import { table } from '#console/components/table.ts';
import {
  amount,
  amountText,
  requestName,
  requestPath,
  shortId,
  shownDate,
} from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { renderField } from '#console/forms/render-field.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import { type OfRequest, rowsOfRequests } from '#console/lists/rows-of-requests.ts';
import { addressOf } from '#console/model/address.ts';
import { entryType, MONEY_WORDS, ownAmount, REPORT_TEXTS } from '#console/money/texts.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from '#console/shell/visit.ts';
import type { BookDay, ClosedDay } from '#e-transfer/network-books.ts';
import { dateBefore, isDate, nextDate, startOfDate } from '#ledger/model/day.ts';
import type { StoredEntry } from '#ledger/model/stored-entry.ts';
import { makeReport, type Report, readLastDay } from '#ledger/report/make-report.ts';
import { reportCsv } from '#ledger/report/render-report.ts';
import { dayCheck } from './day-check.ts';

export type ReportDeps = Pick<ConsoleDeps, 'db' | 'reads' | 'money' | 'timeZone' | 'currency'>;

/** Payments of a day that a page shows; the file has all. */
export const MOST_LINES = 500;
/** Open points that a person works through. */
const MOST_OPEN = 100;

/** The report of a merchant's day, and its check against the bank's statement. */
export async function showReport(deps: ReportDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = REPORT_TEXTS[visit.language];
  const { merchantId, bookZone } = visit;
  const asked = readDay(visit);
  const path = `/console/m/${merchantId}/report`;
  if (asked.isFaulty) return reportPage(visit, path, asked);
  const report = await reportOf(deps, merchantId, asked.date);
  const day = bookDay(visit, asked.date, merchantId);
  const closed = (await deps.money.books?.closeDay(day, MOST_LINES)) ?? null;
  const { totals, paidWithoutMoney: unpaid } = report;
  if (totals.length === 0 && unpaid.count === 0) {
    return reportPage(visit, path, asked, await emptyDay(visit, deps, path, closed));
  }
  const paid = await rowsOfRequests(deps.db, merchantId, unpaid.data, ({ id }) => id);
  const { moneyWithoutPaymentRequest: open } = report;
  const references = open.data.flatMap(({ networkReference }) => networkReference ?? []);
  const cases = await readCaseIds(deps.db, merchantId, references);
  const caseOf = (each: StoredEntry) => cases.get(each.networkReference ?? '');
  const money = open.data.map((each) => ({ ...each, caseId: caseOf(each) }));
  const span = { from: asked.date, to: asked.date };
  const link = (list: string, query: Record<string, string>, name: string) =>
    html`<a class="button quiet" href="${addressOf(`/console/m/${merchantId}/${list}`, query)}"
>${name}</a>`;
  const body = html`!${dayTiles(visit, report)}!${sumsTable(visit, report)}
<p class="actions">!${link('ledger', span, text('ledger'))}
!${link('payment-requests', { ...span, zone: bookZone }, text('requests'))}</p>
!${openPoints(visit, report, paid, money)}!${await dayCheck(deps.db, visit, closed)}`;
  return reportPage(visit, path, asked, body);
}

/** Came to the ledger on the day, in each currency, and stands there at its end. */
function dayTiles(visit: Visit, { sums, totals }: Report): string {
  const { text } = REPORT_TEXTS[visit.language];
  const list = sums.flatMap(({ currency, openingCents, closingCents }): Tile[] => {
    const own = totals.filter((total) => total.currency === currency);
    const count = own.reduce((sum, total) => sum + total.count, 0);
    const opening = amountText(visit, openingCents, currency);
    return [
      {
        label: text('moved'),
        value: amount(visit, closingCents - openingCents, currency),
        note: text('entries', { count }),
      },
      {
        label: text('closing'),
        value: amount(visit, closingCents, currency),
        note: text('openingOf', { amount: opening }),
      },
    ];
  });
  return tiles(list, 'lead');
}

/** The report as the API gives it, as CSV. */
export async function exportReport(deps: ReportDeps, visit: Visit): Promise<ConsoleAnswer> {
  const asked = readDay(visit);
  if (asked.isFaulty) return showReport(deps, visit);
  const report = await reportOf(deps, visit.merchantId, asked.date);
  return {
    fileName: `reconciliation-${report.date}.csv`,
    type: 'text/csv; charset=utf-8',
    content: reportCsv(report, deps),
  };
}

async function reportOf(
  { reads, timeZone, currency }: ReportDeps,
  merchantId: string,
  date: string,
): Promise<Report> {
  const { result } = await reads.read((db) =>
    makeReport({ db, timeZone, currency }, merchantId, { date }),
  );
  return result;
}

/** A sum of the day: of a type of entries, with their number, or of the ledger. */
interface Sum {
  readonly title: string;
  readonly count?: number;
  readonly amountCents: number;
  readonly currency: string;
  readonly isClosing?: true;
}

const SUMS: ListColumns<Sum> = {
  'column.type': show.text(({ title }) => title),
  'column.count': { isNumber: true, cell: ({ count }) => `${count ?? ''}` },
  'column.amount': ownAmount,
};

/** The opening sum, the sums of each type, and the closing sum, a currency after the other. */
function sumsTable(visit: Visit, { sums, totals }: Report): string {
  const { text } = REPORT_TEXTS[visit.language];
  const words = MONEY_WORDS[visit.language];
  const rows = sums.flatMap(({ currency, openingCents, closingCents }): Sum[] => [
    { title: text('opening'), amountCents: openingCents, currency },
    ...totals
      .filter((total) => total.currency === currency)
      .map((total) => ({ ...total, title: words.text(`type.${total.type}`) })),
    { title: text('closing'), amountCents: closingCents, currency, isClosing: true },
  ]);
  const look = { rowClass: ({ isClosing }: Sum) => (isClosing ? 'sum' : '') };
  return table(text('sums'), titled(visit, text, SUMS), rows, look);
}

type Paid = OfRequest<Report['paidWithoutMoney']['data'][number]>;

const PAID: ListColumns<Paid> = {
  'column.request': show.link(
    ({ id, request }, { merchantId }) =>
      [requestPath(merchantId, id), request ? html`${requestName(request)}` : shortId(id)] as const,
  ),
  'column.amount': show.money(({ amountCents }) => amountCents),
  'column.paid': show.age(({ completedAt }) => completedAt),
};

type OpenMoney = StoredEntry & { readonly caseId: string | undefined };

const OPEN_MONEY: ListColumns<OpenMoney> = {
  'column.type': show.cell((entry, visit) => {
    const name = entryType.cell(entry, visit);
    const { caseId } = entry;
    return caseId
      ? html`<a href="/console/m/${visit.merchantId}/cases/${caseId}">!${name}</a>`
      : name;
  }),
  'column.amount': ownAmount,
  'column.reference': show.reference(({ networkReference }) => networkReference),
};

function openPoints(visit: Visit, report: Report, data: readonly Paid[], money: OpenMoney[]) {
  const { paidWithoutMoney, moneyWithoutPaymentRequest } = report;
  return html`!${listOf(visit, 'paidWithoutMoney', PAID, { ...paidWithoutMoney, data })}
!${listOf(visit, 'openMoney', OPEN_MONEY, { ...moneyWithoutPaymentRequest, data: money })}`;
}

function listOf<Item>(
  visit: Visit,
  title: 'paidWithoutMoney' | 'openMoney',
  columns: ListColumns<Item>,
  { count, data }: { readonly count: number; readonly data: readonly Item[] },
): string {
  if (count === 0) return '';
  const { text } = REPORT_TEXTS[visit.language];
  const shown = data.slice(0, MOST_OPEN);
  const most = html`<p>${text('most', { shown: shown.length, count })}</p>`;
  const list = table(text(title), titled(visit, text, columns), shown);
  return list + (count > shown.length ? most : '');
}

/** The page of a report: its day in words, the file, and the form that chooses another day. */
export function reportPage(visit: Visit, path: string, asked: AskedDay, body = ''): ConsolePage {
  const { language, bookZone: zone } = visit;
  const { text } = REPORT_TEXTS[language];
  const { date, isFaulty } = asked;
  const page = { title: text('title'), body: dayForm(visit, path, asked) };
  if (isFaulty) return { ...page, head: {}, status: 422 };
  const file = addressOf(`${path}.csv`, { date });
  const head = {
    under: html`${text('lead', { date: shownDate(language, date, 'full'), zone })}`,
    acts: html`<a class="button quiet" href="${file}">${text('csv')}</a>`,
  };
  return {
    ...page,
    head,
    body: html`!${page.body}<h2 class="unseen">${text('sums')}</h2>!${body}`,
  };
}

function dayForm({ language }: Visit, path: string, asked: AskedDay): string {
  const { text } = REPORT_TEXTS[language];
  const link = (date: string, word: string, sign: string) =>
    html`<a class="button quiet" href="${addressOf(path, { date })}" aria-label="${word}"
 title="${word}">${sign}</a>`;
  const faults = asked.isFaulty ? { date: text('fault.date') } : {};
  return html`<form class="filters" method="get" action="${path}">
!${link(dayBefore(asked.date), text('before'), '‹')}!${renderField(
    { name: 'date', kind: 'date', label: text('date'), value: asked.sent },
    { faults },
  )}!${link(nextDate(asked.date), text('after'), '›')}
<button class="button quiet">${text('show')}</button></form>`;
}

/** A day without money is a sentence, and the way to the latest day with money. */
export async function emptyDay(
  visit: Visit,
  { db: own, reads, timeZone }: Pick<ConsoleDeps, 'db' | 'reads' | 'timeZone'>,
  path: string,
  closed: ClosedDay | null,
): Promise<string> {
  const { text } = REPORT_TEXTS[visit.language];
  const { result: date } = await reads.read((db) =>
    readLastDay({ db, timeZone }, visit.merchant?.id ?? null),
  );
  const words = date && text('latest', { date: shownDate(visit.language, date, 'full') });
  const href = addressOf(path, { date });
  const last = html`<p><a class="button quiet" href="${href}">${words}</a></p>`;
  const hasCheck = closed && closed.verdict !== 'NOTHING';
  const check = hasCheck ? await dayCheck(own, visit, closed) : '';
  return emptyState(text('noneMoved'), date ? last : '') + check;
}

/** `sent` is the text of the address, for the form. */
export type AskedDay = ReturnType<typeof readDay>;

const EARLIEST_DATE = /^2\d{3}-\d{2}-\d{2}$/;

/** The day that the address asks for; without one the day before the present one. */
export function readDay({ query, now, bookZone }: Visit) {
  const sent = query.get('date')?.trim() ?? '';
  const isFaulty = sent !== '' && !(EARLIEST_DATE.test(sent) && isDate(sent));
  const date = sent === '' || isFaulty ? dateBefore(now, bookZone) : sent;
  return { date, isFaulty, sent: sent === '' ? date : sent };
}

/** The date before a date. */
export function dayBefore(date: string): string {
  return dateBefore(new Date(`${date}T12:00:00Z`), 'UTC');
}

/** A day with its instants, for the ledger of one merchant or of all. */
export function bookDay({ bookZone }: Visit, date: string, merchantId: string | null): BookDay {
  return {
    date,
    startsAt: startOfDate(date, bookZone),
    endsAt: startOfDate(nextDate(date), bookZone),
    merchantId,
  };
}
