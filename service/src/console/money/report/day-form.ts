import { html } from 'ghtml';
import { emptyState } from '#console/components/parts.ts';
import { shownDate } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { renderField } from '#console/forms/render-field.ts';
import { addressOf } from '#console/model/address.ts';
import { REPORT_TEXTS } from '#console/money/texts.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { BookDay, ClosedDay } from '#e-transfer/network-books.ts';
import { dateBefore, isDate, nextDate, startOfDate } from '#ledger/model/day.ts';
import { readLastDay } from '#ledger/report/make-report.ts';
import { dayCheck } from './day-check.ts';

/** The page of a report: its day in words, the file, and the form that chooses another day. */
export function reportPage(visit: Visit, path: string, asked: AskedDay, body = ''): ConsolePage {
  const { language, bookZone: zone } = visit;
  const { text } = REPORT_TEXTS[language];
  const { date, isFaulty } = asked;
  const page = { title: text('title'), body: dayForm(visit, path, asked) };
  if (isFaulty) return { ...page, head: {}, status: 422 };
  const file = addressOf(`${path}.csv`, { date });
  const head = {
    under: html`${text('lead', { date: shownDate(language, date), zone })}`,
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
  { reads, timeZone }: Pick<ConsoleDeps, 'reads' | 'timeZone'>,
  path: string,
  closed: ClosedDay | null,
): Promise<string> {
  const { text } = REPORT_TEXTS[visit.language];
  const { result: date } = await reads.read((db) =>
    readLastDay({ db, timeZone }, visit.merchant?.id ?? null),
  );
  const words = date && text('latest', { date: shownDate(visit.language, date) });
  const href = addressOf(path, { date });
  const last = html`<p><a class="button quiet" href="${href}">${words}</a></p>`;
  const check = closed && closed.verdict !== 'NOTHING' ? dayCheck(visit, closed) : '';
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
