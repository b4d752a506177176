import { amountText } from '#console/components/amount.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { age, code, id, money, status, statusFilter, text, time } from '#console/lists/columns.ts';
import { CREATED_DAYS, type ListSpec, listWords } from '#console/lists/list-spec.ts';
import { statusTabs } from '#console/lists/status-tabs.ts';
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
}: Pick<ConsoleDeps, 'reads' | 'currency'>): ListSpec<Refund> => ({
  name: 'refunds',
  path: '/m/:merchant/refunds',
  section: 'refunds',
  action: 'refunds.read',
  filters: [
    statusFilter('refund', REFUND_STATUSES),
    { name: 'merchantRefundId', form: 'text', maxLength: 64 },
  ],
  days: CREATED_DAYS,
  columns: {
    status: status('refund', (refund) => refund.status),
    amount: money((refund) => refund.amountCents),
    reason: text(({ reason }, { language }) => REASONS[language].text(reason)),
    merchantRefundId: id((refund) => refund.merchantRefundId),
    created: age((refund) => refund.createdAt),
    completed: time((refund) => refund.payment?.completedAt ?? null),
    statusReason: text((refund) => refund.statusReasonCode),
    networkReference: code((refund) => refund.payment?.networkReference ?? null),
    paymentRequest: id((refund) => refund.paymentRequestId),
    id: id((refund) => refund.id),
  },
  usual: 5,
  words: listWords('console.lists.refunds'),
  tabs: statusTabs(TABS, {
    most: MOST_COUNTED_REFUNDS,
    read: (db, { merchantId }) => countRefunds(db, merchantId),
  }),
  rows: listOf({ currency }),
  reads,
  rowName: ({ amountCents }, visit) => amountText(visit, amountCents, currency),
  cameAt: (refund) => refund.createdAt,
  rowAddress: ({ paymentRequestId }, { merchantId }) =>
    `/console/m/${merchantId}/payment-requests/${paymentRequestId}`,
});
