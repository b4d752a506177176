import { html } from 'ghtml';
import { emptyState } from '#console/components/empty-state.ts';
import { pageHead } from '#console/components/page-head.ts';
import { relativeTime } from '#console/components/relative-time.ts';
import { type Column, column, rowHeader, table } from '#console/components/table.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { OverduePaymentRequest } from '#payment-requests/read/overdue-store.ts';
import { merchantColumn } from './merchants-path.ts';

const HEALTH_TEXTS = pageTexts('console.operators.health');

/** Payment requests that a loop or the network should have moved. */
export function renderOverdue(
  visit: Visit,
  overdue: readonly OverduePaymentRequest[],
): ConsolePage {
  const { text } = HEALTH_TEXTS[visit.language];
  const columns: Column<OverduePaymentRequest>[] = [
    rowHeader(
      text('paymentRequest'),
      ({ id, merchantId }) =>
        html`<a class="row mono" href="/console/m/${merchantId}/payment-requests/${id}">${id}</a>`,
    ),
    column(text('why'), ({ why }) => html`${text(why)}`),
    column(text('since'), ({ since }) => relativeTime(visit, since)),
    merchantColumn(text('merchant')),
  ];
  const list =
    overdue.length === 0
      ? emptyState(text('overdueNone'))
      : html`<div class="list-rows">!${table(text('overdue'), columns, overdue)}</div>`;
  return {
    title: text('overdue'),
    section: 'operator.overdue',
    body:
      pageHead({
        title: text('overdue'),
        under: html`${text('overdueLead')}`,
        back: { href: '/console/operator/health', name: text('title') },
      }) + list,
  };
}
