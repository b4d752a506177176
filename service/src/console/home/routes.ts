import { html } from 'ghtml';
import { tiles } from '#console/components/parts.ts';
import { shownNumber } from '#console/components/values.ts';
import { searchCard } from '#console/search/search-card.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { readWork, type Work } from '#console/shell/read-work.ts';
import { SECTIONS, type Section } from '#console/shell/sections.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { listNamedMerchants, type NamedMerchant } from '#merchants/find-named-merchant.ts';

const HOME_TEXTS = pageTexts('console.home');

/** The first page: the search, and the work that waits; the menu leads to the pages. */
export function registerHomePages(routes: ConsoleRoutes): void {
  routes.page('', 'home.read', async ({ db }, visit) => {
    const { text } = HOME_TEXTS[visit.language];
    const { grants } = visit.viewer;
    const ids = grants.map(({ merchantId }) => merchantId).filter((id) => id !== null);
    const merchants = await listNamedMerchants(db, [...new Set(ids)]);
    const work = await readWork(db, visit);
    return {
      title: text('title'),
      hasSearch: true,
      work,
      body: html`<h1>${text('title')}</h1>
!${searchCard(visit, { label: text('label'), hint: text('lead') })}<div data-lately></div>
!${workTiles(visit, work)}
!${renderMerchants(visit, merchants)}`,
    };
  });
}

/** The menu has the pages of an only merchant. */
function renderMerchants({ language }: Visit, merchants: readonly NamedMerchant[]): string {
  if (merchants.length < 2) return '';
  const { text } = HOME_TEXTS[language];
  const items = merchants.map(
    ({ id, name }) => html`<li><a href="/console/m/${id}/overview">${name}</a></li>`,
  );
  return html`<h2>${text('merchantsOfPerson')}</h2><ul>!${items.join('')}</ul>`;
}

const WORK_TEXTS = pageTexts('console.work');

/** The rows of a list that wait, where others are in it. */
const QUERIES: Readonly<Partial<Record<Section, string>>> = {
  endpoints: '?health=FAILING',
  messages: '?undelivered=yes',
};

/** The work that waits, each number with the way to its list. */
function workTiles({ language, shownMerchant }: Visit, work: Work): string {
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
