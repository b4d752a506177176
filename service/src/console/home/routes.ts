import { html } from 'ghtml';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { listNamedMerchants } from '#merchants/find-named-merchant.ts';
import { HOME_TEXTS } from './texts.ts';

/** The first page: the search, and the merchants whose pages the person may open. */
export function registerHomePages(routes: ConsoleRoutes, { db }: ConsoleDeps): void {
  routes.page({
    path: '',
    action: 'home.read',
    async show({ viewer, language }) {
      const { text } = HOME_TEXTS[language];
      const ids = viewer.grants.map(({ merchantId }) => merchantId).filter((id) => id !== null);
      const merchants = await listNamedMerchants(db, ids);
      const items = merchants.map(
        ({ id, name }) => html`<li><a href="/console/m/${id}/payment-requests">${name}</a></li>`,
      );
      const list =
        items.length > 0 ? html`<h2>${text('merchants')}</h2><ul>!${items.join('')}</ul>` : '';
      return {
        title: text('title'),
        section: 'home',
        body: html`<h1>${text('title')}</h1><p class="quiet">${text('lead')}</p>!${list}`,
      };
    },
  });
}
