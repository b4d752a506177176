import { html } from 'ghtml';
import { searchCard } from '#console/search/search-card.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { readWork } from '#console/shell/read-work.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { listNamedMerchants, type NamedMerchant } from '#merchants/find-named-merchant.ts';
import { merchantPages, operatorPages } from './daily-pages.ts';
import { workTiles } from './work-tiles.ts';

const HOME_TEXTS = pageTexts('console.home');

/** The pages of more merchants are a list to choose from: each merchant's cards fill a screen. */
const MOST_WITH_CARDS = 2;

/** The first page: the search, and the pages that answer the questions of a day. */
export function registerHomePages(routes: ConsoleRoutes): void {
  routes.page('', 'home.read', async ({ db }, visit) => {
    const { text } = HOME_TEXTS[visit.language];
    const { grants } = visit.viewer;
    const ids = grants.map(({ merchantId }) => merchantId).filter((id) => id !== null);
    const merchants = await listNamedMerchants(db, [...new Set(ids)]);
    const operators = operatorPages(visit);
    return {
      title: text('title'),
      section: 'home',
      hasSearch: true,
      body: html`<h1>${text('title')}</h1>
!${searchCard(visit, { label: text('label'), hint: text('lead') })}<div data-lately></div>
!${workTiles(visit, await readWork(db, visit))}
!${operators ? html`<h2>${text('operators')}</h2>!${operators}` : ''}
!${renderMerchants(visit, merchants)}`,
    };
  });
}

function renderMerchants(visit: Visit, merchants: readonly NamedMerchant[]): string {
  if (merchants.length === 0) return '';
  if (merchants.length <= MOST_WITH_CARDS) {
    return merchants
      .map(({ id, name }) => html`<h2>${name}</h2>` + merchantPages(visit, id))
      .join('');
  }
  const { text } = HOME_TEXTS[visit.language];
  const items = merchants.map(
    ({ id, name }) => html`<li><a href="/console/m/${id}/overview">${name}</a></li>`,
  );
  return html`<h2>${text('merchantsOfPerson')}</h2><ul>!${items.join('')}</ul>`;
}
