import { html } from 'ghtml';
import { emptyState } from '#console/components/empty-state.ts';
import { instant } from '#console/components/instant.ts';
import { table } from '#console/components/table.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { StuckPaymentRequest } from '#payment-requests/read/stuck-store.ts';
import { HEALTH_TEXTS } from './health-texts.ts';
import { MERCHANTS_PATH } from './merchant-list.ts';

/** Payment requests that a loop or the network should have moved. */
export function renderStuck(visit: Visit, stuck: readonly StuckPaymentRequest[]): ConsolePage {
  const { text } = HEALTH_TEXTS[visit.language];
  const list =
    stuck.length === 0
      ? emptyState(text('stuckNone'))
      : table(
          text('stuck'),
          [
            {
              title: text('paymentRequest'),
              cell: ({ id, merchantId }) =>
                html`<a href="/console/m/${merchantId}/payment-requests/${id}">${id}</a>`,
              isRowHeader: true,
            },
            { title: text('why'), cell: ({ why }) => html`${text(why)}` },
            { title: text('since'), cell: ({ since }) => instant(visit, since) },
            {
              title: text('merchant'),
              cell: ({ merchantId }) =>
                html`<a href="/console${MERCHANTS_PATH}/${merchantId}">${merchantId}</a>`,
            },
          ],
          stuck,
        );
  return {
    title: text('stuck'),
    section: 'operator.health',
    body: html`<h1>${text('stuck')}</h1><p class="quiet">${text('stuckLead')}</p>!${list}
<p><a href="/console/operator/health">${text('back')}</a></p>`,
  };
}
