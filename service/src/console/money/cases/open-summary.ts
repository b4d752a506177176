import { html } from 'ghtml';
import type { OpenCases } from '#cases/read/read-open-cases.ts';
import { amountText } from '#console/components/amount.ts';
import { tiles } from '#console/components/tile.ts';
import { addressOf } from '#console/model/address.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { CASE_TEXTS } from '../texts.ts';

const TEXTS = pageTexts('console.lists.cases');

/** Some 20 ms of one statement; more wait in a disaster alone, and the heading says so then. */
export const MOST_SUMMED = 5_000;

/** Each kind with open cases leads to its list, whose address is given. */
export function openSummary(visit: Visit, address: string, open: readonly OpenCases[]): string {
  if (open.length === 0) return '';
  const name = CASE_TEXTS[visit.language];
  const count = open.reduce((sum, each) => sum + each.count, 0);
  const kinds = open.map(({ kind, count: ofKind, arrivedCents, currency }) => ({
    label: name.text(`name.${kind}`),
    value: html`${ofKind}`,
    note: arrivedCents === 0 ? '' : amountText(visit, arrivedCents, currency),
    href: addressOf(address, { kind }),
  }));
  const heading = count < MOST_SUMMED ? 'open' : 'openOldest';
  return html`<h2>${TEXTS[visit.language].text(heading, { count })}</h2>!${tiles(kinds)}`;
}
