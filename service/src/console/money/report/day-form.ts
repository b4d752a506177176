import { html } from 'ghtml';
import { pageHead } from '#console/components/page-head.ts';
import { shownDate } from '#console/components/shown-values.ts';
import { renderField } from '#console/forms/render-field.ts';
import { addressOf } from '#console/model/address.ts';
import type { Visit } from '#console/shell/visit.ts';
import { REPORT_TEXTS } from '../texts.ts';
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
  const link = (date: string, word: string) =>
    html`<a class="button quiet" href="${addressOf(path, { date })}">${word}</a>`;
  const faults = asked.isFaulty ? { date: text('fault.date') } : {};
  return html`<form class="filters" method="get" action="${path}">!${renderField(
    { name: 'date', kind: 'date', label: text('date'), value: asked.sent },
    { faults },
  )}<button class="button">${text('show')}</button>
!${link(dayBefore(asked.date), text('before'))}
!${link(dayAfter(asked.date), text('after'))}</form>`;
}
