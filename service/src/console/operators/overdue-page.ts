import { html } from 'ghtml';
import { emptyState } from '#console/components/parts.ts';
import { table } from '#console/components/table.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import { merchantLink } from '#console/lists/list-rows.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { OverduePaymentRequest } from '#payment-requests/read/overdue-store.ts';
import { MERCHANTS_PATH } from './parts.ts';

const HEALTH_TEXTS = pageTexts('console.operators.health');

const COLUMNS: ListColumns<OverduePaymentRequest> = {
  paymentRequest: show.cell(
    ({ id, merchantId }) =>
      html`<a class="row mono" href="/console/m/${merchantId}/payment-requests/${id}">${id}</a>`,
  ),
  why: show.text(({ why }, { language }) => HEALTH_TEXTS[language].text(why)),
  since: show.age(({ since }) => since),
  merchant: merchantLink((of) => `${MERCHANTS_PATH}/${of}`),
};

/** Payment requests that a loop or the network should have moved. */
export function renderOverdue(
  visit: Visit,
  overdue: readonly OverduePaymentRequest[],
): ConsolePage {
  const { text } = HEALTH_TEXTS[visit.language];
  const rows = table(text('overdue'), titled(visit, text, COLUMNS), overdue);
  const list =
    overdue.length === 0
      ? emptyState(text('overdueNone'))
      : html`<div class="list-rows">!${rows}</div>`;
  return {
    title: text('overdue'),
    head: {
      under: html`${text('overdueLead')}`,
      back: { href: '/console/operator/health', name: text('title') },
    },
    body: list,
  };
}
