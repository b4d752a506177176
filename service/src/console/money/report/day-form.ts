import { html } from 'ghtml';
import { emptyState } from '#console/components/empty-state.ts';
import { pageHead } from '#console/components/page-head.ts';
import { shownDate } from '#console/components/shown-values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { renderField } from '#console/forms/render-field.ts';
import { addressOf } from '#console/model/address.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { ClosedDay } from '#e-transfer/network-books.ts';
import { readLastDay } from '#ledger/report/make-report.ts';
import { REPORT_TEXTS } from '../texts.ts';
import { dayCheck } from './day-check.ts';
import { type AskedDay, dayAfter, dayBefore } from './report-day.ts';

/** The head of a report: its day in words, the file, and the form that chooses another day. */
export function reportHead(visit: Visit, path: string, asked: AskedDay): string {
  const { language, bookZone } = visit;
  const { text } = REPORT_TEXTS[language];
  if (asked.isFaulty) return pageHead({ title: text('title') }) + dayForm(visit, path, asked);
  const { date } = asked;
  const file = addressOf(`${path}.csv`, { date });
  const head = pageHead({
    title: text('title'),
    under: html`${text('lead', { date: shownDate(language, date), zone: bookZone })}`,
    acts: html`<a class="button quiet" href="${file}">${text('csv')}</a>`,
  });
  const heading = html`<h2 class="unseen">${text('sums')}</h2>`;
  return head + dayForm(visit, path, asked) + heading;
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
  )}!${link(dayAfter(asked.date), text('after'), '›')}
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
