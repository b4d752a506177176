import { entityTag } from '#http/headers/entity-tag.ts';
import { formatInstant } from '#lib/instant.ts';
import { amountNumber } from '#lib/money.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import type { Refund } from './refund.ts';
import { REFUND_STATUS_REASONS } from './statuses.ts';

export type RefundSettings = Pick<PublicSettings, 'publicApiUrl' | 'currency'>;

/** The members of a refund in every answer and webhook, in their order (contract §11). */
export function refundMembers(refund: Refund, { publicApiUrl, currency }: RefundSettings): object {
  const { statusReasonCode: code, payment } = refund;
  return {
    id: refund.id,
    paymentRequestId: refund.paymentRequestId,
    merchantRefundId: refund.merchantRefundId ?? undefined,
    reason: refund.reason,
    message: refund.message ?? undefined,
    webhookUrl: refund.webhookUrl ?? undefined,
    amount: amountNumber(refund.amountCents),
    currency,
    status: refund.status,
    statusReason: code === null ? undefined : { code, message: REFUND_STATUS_REASONS[code] },
    payment: payment
      ? {
          networkReference: payment.networkReference,
          completedDateTime: formatInstant(payment.completedAt),
        }
      : undefined,
    createdDateTime: formatInstant(refund.createdAt),
    events: refund.events.map(({ status, occurredAt }) => ({
      status,
      dateTime: formatInstant(occurredAt),
    })),
    links: [
      { rel: 'refund', href: `${publicApiUrl}/refunds/${refund.id}` },
      {
        rel: 'payment-request',
        href: `${publicApiUrl}/payment-requests/${refund.paymentRequestId}`,
      },
    ],
  };
}

/** Renders a refund as every answer and webhook shows it. */
export function renderRefund(refund: Refund, settings: RefundSettings): string {
  return JSON.stringify(refundMembers(refund, settings));
}

/** The headers of an answer that is one refund. */
export function refundHeaders(
  status: 200 | 201 | 202,
  refund: Refund,
  { publicApiUrl }: RefundSettings,
): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json; charset=utf-8',
    etag: entityTag(refund.version),
    ...(status === 201 && { location: `${publicApiUrl}/refunds/${refund.id}` }),
  };
}
