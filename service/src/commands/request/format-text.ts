import { alignColumns } from '#commands/cli/align-columns.ts';
import { formatInstant } from '#lib/instant.ts';
import { formatAmount } from '#lib/money.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import type { TimelineEntry } from '#payment-requests/timeline/read-timeline.ts';

/** The payment request and its timeline, for a terminal. */
export function formatPaymentRequest(
  p: PaymentRequest,
  timeline: readonly TimelineEntry[],
  { currency, paymentLinkBase }: PublicSettings,
): string[] {
  const { merchant, payer, payment, statusReason } = p;
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    ['Payment request', p.id],
    ['Merchant', `${merchant.name} (${merchant.id})`],
    ['Status', `${p.status}${p.paidLate ? ', late' : ''}`],
    ['Reason', statusReason && `${statusReason.code}: ${statusReason.message}`],
    ['Amount', `${formatAmount(p.amountCents)} ${currency}`],
    ['Network reference', payment && `${payment.networkReference}, ${payment.institution}`],
    ['merchantTransactionId', p.merchantTransactionId],
    ['Invoice', p.invoiceNumber],
    ['Customer', payer.merchantAccountId],
    ['Message', p.displayMessage],
    ['Payer', [payer.name, payer.email, payer.mobileNumber].filter((each) => each).join(', ')],
    ['Created', formatInstant(p.createdAt)],
    ['Expires', formatInstant(p.expiresAt)],
    ['Payment link', `${paymentLinkBase}/${p.shortCode}`],
  ];
  return [
    ...alignColumns(rows.flatMap(([name, value]) => (value ? [[name, value]] : []))),
    '',
    'Timeline',
    ...alignColumns(
      timeline.map((entry) => [formatInstant(entry.occurredAt), entry.type, told(entry)]),
    ),
  ];
}

/** A line for each of several payment requests. */
export function formatList(
  paymentRequests: readonly PaymentRequest[],
  { currency }: PublicSettings,
): string[] {
  return alignColumns([
    ['ID', 'MERCHANT', 'STATUS', 'AMOUNT', 'CREATED', 'INVOICE', 'PAYER'],
    ...paymentRequests.map((p) => [
      p.id,
      `${p.merchant.name} (${p.merchant.id})`,
      p.status,
      `${formatAmount(p.amountCents)} ${currency}`,
      formatInstant(p.createdAt),
      p.invoiceNumber ?? p.merchantTransactionId ?? '',
      p.payer.name,
    ]),
  ]);
}

function told(entry: TimelineEntry): string {
  switch (entry.type) {
    case 'STATUS_CHANGED': {
      const { status, cause, reasonCode } = entry.details;
      // Cause and reason often repeat the status or each other: CREATED by CREATED.
      const because = [...new Set([cause, reasonCode])].filter((each) => each && each !== status);
      return because.length > 0 ? `${status} by ${because.join(', ')}` : status;
    }
    case 'WEBHOOK_ATTEMPTED': {
      const { eventType, attempt, url, outcome, httpStatus, durationMs } = entry.details;
      const answer = httpStatus === null ? outcome : `${outcome} ${httpStatus}`;
      return `${eventType}, attempt ${attempt}: ${answer} in ${durationMs} ms, ${url}`;
    }
    case 'CANCELLATION_REQUESTED': {
      const { requestedBy = 'MERCHANT', reason, comment } = entry.details;
      return [requestedBy, reason, comment && `"${comment}"`].filter((each) => each).join(', ');
    }
    case 'UPDATED':
      return entry.details.fields.join(', ');
    case 'PAYER_STEP':
      return entry.details.step;
    case 'SANDBOX_NOTE':
      return entry.details.message;
    case 'PART_RECEIVED': {
      const { amountCents, receivedCents } = entry.details;
      return `${formatAmount(amountCents)}, so far ${formatAmount(receivedCents)}`;
    }
    case 'MONEY_RETURNED': {
      const { amountCents, reason } = entry.details;
      return reason ? `${formatAmount(amountCents)} by ${reason}` : formatAmount(amountCents);
    }
    case 'REFUND_CHANGED': {
      const { refundId, amountCents, status, reasonCode } = entry.details;
      const because = reasonCode ? `${status} by ${reasonCode}` : status;
      return `${because}, ${formatAmount(amountCents)}, ${refundId}`;
    }
    case 'MESSAGE_CHANGED': {
      const { kind, channel, status, reason } = entry.details;
      return [`${kind} by ${channel} ${status}`, reason].filter(Boolean).join(', ');
    }
    case 'CASE_SETTLED':
      return `${entry.details.kind} ${entry.details.settlement}`;
    case 'LINK_OPENED':
      return '';
  }
}
