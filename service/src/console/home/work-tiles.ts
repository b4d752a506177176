import { html } from 'ghtml';
import { shownNumber } from '#console/components/shown-values.ts';
import { tiles } from '#console/components/tile.ts';
import type { Work } from '#console/shell/read-work.ts';
import { SECTIONS, type Section } from '#console/shell/sections.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';

const WORK_TEXTS = pageTexts('console.work');

/** The rows of a list that wait, where others are in it. */
const QUERIES: Readonly<Partial<Record<Section, string>>> = {
  endpoints: '?health=FAILING',
  messages: '?undelivered=yes',
};

/** The work that waits, each number with the way to its list. */
export function workTiles({ language, shownMerchant }: Visit, work: Work): string {
  const { text } = WORK_TEXTS[language];
  const waiting = (Object.entries(work) as [Section, number][]).filter(([, count]) => count > 0);
  if (waiting.length === 0) return html`<p class="quiet">${text('none')}</p>`;
  const list = waiting.map(([section, count]) => ({
    label: text(`work.${section}` as 'work.approvals'),
    value: html`${shownNumber(language, count)}`,
    href:
      `/console${SECTIONS[section].path.replace(':merchant', shownMerchant?.id ?? '')}` +
      (QUERIES[section] ?? ''),
    tone: section === 'endpoints' || section === 'operator.overdue' ? 'bad' : 'warning',
  })) satisfies Parameters<typeof tiles>[0];
  return html`<h2>${text('title')}</h2>!${tiles(list, 'lead')}`;
}
