import { alignColumns } from '#commands/cli/align-columns.ts';
import { formatInstant } from '#lib/instant.ts';
import { formatAmount } from '#lib/money.ts';
import type { Refund } from '#refunds/model/refund.ts';
import type { RefundSettings } from '#refunds/model/render-json.ts';
import { REFUND_STATUS_REASONS } from '#refunds/model/statuses.ts';

/** A refund with its statuses, for a terminal. */
export function formatRefund(refund: Refund, { currency }: RefundSettings): string[] {
  const { statusReasonCode: code, payment } = refund;
  const rows: readonly (readonly [string, string | null])[] = [
    ['Refund', refund.id],
    ['Payment request', refund.paymentRequestId],
    ['Merchant', refund.merchantId],
    ['merchantRefundId', refund.merchantRefundId],
    ['Status', refund.status],
    ['Status reason', code && `${code}: ${REFUND_STATUS_REASONS[code]}`],
    ['Amount', `${formatAmount(refund.amountCents)} ${currency}`],
    ['Reason', refund.reason],
    ['Movement given back', refund.movementReference],
    ['Case', refund.operatorCaseId],
    ['Network reference', payment?.networkReference ?? null],
    ['Created', formatInstant(refund.createdAt)],
  ];
  return [
    ...alignColumns(rows.flatMap(([name, value]) => (value ? [[name, value]] : []))),
    '',
    'Statuses',
    ...alignColumns(
      refund.events.map(({ status, occurredAt }) => [formatInstant(occurredAt), status]),
    ),
  ];
}

/** A line for each of several refunds. */
export function formatRefundList(
  refunds: readonly Refund[],
  { currency }: RefundSettings,
): string[] {
  if (refunds.length === 0) return ['There is no such refund.'];
  return alignColumns([
    ['ID', 'PAYMENT REQUEST', 'MERCHANT', 'STATUS', 'AMOUNT', 'CREATED'],
    ...refunds.map((refund) => [
      refund.id,
      refund.paymentRequestId,
      refund.merchantId,
      refund.status,
      `${formatAmount(refund.amountCents)} ${currency}`,
      formatInstant(refund.createdAt),
    ]),
  ]);
}
