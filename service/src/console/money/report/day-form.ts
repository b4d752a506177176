import { html } from 'ghtml';
import { textField } from '#console/components/form.ts';
import type { Visit } from '#console/shell/visit.ts';
import { addressOf } from '../format/address.ts';
import { REPORT_TEXTS } from '../texts.ts';
import { type AskedDay, dayAfter, dayBefore } from './report-day.ts';

/** The form that chooses the day, with the days beside it. */
export function dayForm({ language }: Visit, path: string, asked: AskedDay): string {
  const { text } = REPORT_TEXTS[language];
  const link = (date: string, word: string) =>
    html`<a class="button quiet" href="${addressOf(path, { date })}">${word}</a>`;
  return html`<form class="filters" method="get" action="${path}">!${textField({
    name: 'date',
    label: text('date'),
    type: 'date',
    value: asked.sent,
    fault: asked.isFaulty ? text('fault.date') : undefined,
  })}<button class="button">${text('show')}</button>
!${link(dayBefore(asked.date), text('before'))}
!${link(dayAfter(asked.date), text('after'))}</form>`;
}
