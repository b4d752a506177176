import { html } from 'ghtml';
import type { readOpenCases } from '#cases/read/read-open-cases.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { addressOf } from '../format/address.ts';
import { amount } from '../format/amount.ts';
import { CASE_TEXTS } from '../texts.ts';

const TEXTS = pageTexts('console.lists.cases');

/** Some 20 ms of one statement; more wait in a disaster alone, and the heading says so then. */
export const MOST_SUMMED = 5_000;

/** Each kind with open cases leads to its list, whose address is given. */
export function openSummary(
  visit: Visit,
  address: string,
  open: Awaited<ReturnType<typeof readOpenCases>>,
): string {
  if (open.length === 0) return '';
  const name = CASE_TEXTS[visit.language];
  const count = open.reduce((sum, each) => sum + each.count, 0);
  const items = open.map(
    (each) =>
      html`<li><a class="card kind" href="${addressOf(address, { kind: each.kind })}"
><span class="number">${each.count}</span><span>${name.text(`name.${each.kind}`)}</span>
!${each.arrivedCents === 0 ? '' : amount(visit, each.arrivedCents, each.currency)}</a></li>`,
  );
  const heading = count < MOST_SUMMED ? 'open' : 'openOldest';
  return html`<h2>${TEXTS[visit.language].text(heading, { count })}</h2>
<ul class="cards">!${items.join('')}</ul>`;
}
