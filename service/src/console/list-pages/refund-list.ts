import { html } from 'ghtml';
import { statusBadge } from '#console/components/badges.ts';
import { amountText } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { age, cell, code, id, money, text, time } from '#console/lists/columns.ts';
import { CREATED_DAYS, type ListSpec, listAt, listWords } from '#console/lists/list-spec.ts';
import { type OfRequest, PEOPLE, withRequests } from '#console/lists/rows-of-requests.ts';
import { statusFilter, statusTabs } from '#console/lists/status-tabs.ts';
import { REASON_TEXTS } from '#console/payment-requests/texts.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { REFUND_STATUSES, type RefundStatus } from '#refunds/model/statuses.ts';
import { countRefunds, MOST_COUNTED_REFUNDS } from '#refunds/read/count-refunds.ts';
import { refundList as listOf } from '#refunds/read/refund-list.ts';

const TABS: Readonly<Record<string, readonly RefundStatus[]>> = {
  open: ['CREATED', 'PROCESSING'],
  completed: ['COMPLETED'],
  failed: ['FAILED'],
};
const REASONS = pageTexts('console.refunds.reasons');

/** The refunds of a merchant, by the filters of the call that lists them. */
export const refundList = ({
  reads,
  currency,
}: Pick<ConsoleDeps, 'reads' | 'currency'>): ListSpec<OfRequest<Refund>> => ({
  ...listAt('refunds', listWords('console.lists.refunds')),
  filters: [
    statusFilter('refund', REFUND_STATUSES),
    { name: 'merchantRefundId', form: 'text', maxLength: 64 },
  ],
  days: CREATED_DAYS,
  columns: {
    status: cell(stateOf),
    amount: money((refund) => refund.amountCents),
    ...PEOPLE,
    reason: text(({ reason }, { language }) => REASONS[language].text(reason)),
    created: age((refund) => refund.createdAt),
    merchantRefundId: id((refund) => refund.merchantRefundId),
    completed: time((refund) => refund.payment?.completedAt ?? null),
    networkReference: code((refund) => refund.payment?.networkReference ?? null),
    paymentRequest: id((refund) => refund.paymentRequestId),
    id: id((refund) => refund.id),
  },
  usual: 6,
  tabs: statusTabs(TABS, {
    most: MOST_COUNTED_REFUNDS,
    read: (db, { merchantId }) => countRefunds(db, merchantId),
  }),
  rows: withRequests(listOf({ currency }), (refund) => refund.paymentRequestId),
  reads,
  rowName: ({ amountCents, request }, visit) =>
    `${amountText(visit, amountCents, currency)}, ${request?.payer.name ?? ''}`,
  cameAt: (refund) => refund.createdAt,
  rowAddress: ({ paymentRequestId }, { merchantId }) =>
    `/console/m/${merchantId}/payment-requests/${paymentRequestId}`,
});

/** The status, and below it why a refund failed. */
function stateOf({ status, statusReasonCode: code }: Refund, visit: Visit): string {
  const { text } = REASON_TEXTS[visit.language];
  const why = code && html`<span class="why">${text(`refund.${code}`)}</span>`;
  return html`!${statusBadge(visit, `refund.${status}`)}!${why ?? ''}`;
}
