import {
  type Client,
  centsToAmount,
  PaymentRequestsError,
  ProblemError,
  type RefundReason,
} from '@payment-requests/sdk';
import type { OrderStore } from '../order-store.ts';
import type { OrderRefund } from './refund.ts';

/** The refusals with an own sentence; after them no refund exists. */
export const REFUSALS = [
  'REFUND_AMOUNT_EXCEEDED',
  'REFUND_AMOUNT_MISMATCH',
  'REFUNDS_DISABLED',
  'REFUNDS_NOT_SUPPORTED',
  'REFUND_LIMIT_REACHED',
  'NOT_PAID',
] as const;

/** Answers that make no refund, by their status: faults of the call itself. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([400, 404, 422]);

/**
 * Sends a stored refund. The call repeats the stored values and the stored `merchantRefundId`:
 * after a lost answer, a second post or a restart, the service still refunds once.
 *
 * @returns the refund after the answer; ASKED when no answer arrived
 */
export async function sendRefund(
  { orders, client }: { readonly orders: OrderStore; readonly client: Client },
  refund: OrderRefund,
): Promise<OrderRefund> {
  const { id, orderId, paymentId, amountCents, expectedCents, reason, message } = refund;
  if (refund.status !== 'ASKED') return refund;
  try {
    const created = await client.createRefund(paymentId, {
      amount: centsToAmount(amountCents),
      merchantRefundId: id,
      ...(expectedCents !== null && { expectedAmountAvailable: centsToAmount(expectedCents) }),
      reason: reason as RefundReason,
      ...(message !== null && { message }),
    });
    orders.refunds.save(created, orderId);
  } catch (error) {
    if (!(error instanceof PaymentRequestsError)) throw error;
    console.error(`Refund ${id}: ${error.message} (${error.requestId})`);
    if (isRefusal(error)) orders.refunds.refuse(id, error.code);
  }
  return orders.refunds.find(id) ?? refund;
}

/** Any other error leaves open whether the refund exists: the staff sends it again. */
function isRefusal(error: PaymentRequestsError): boolean {
  if (!(error instanceof ProblemError) || error.code === 'UNEXPECTED_ANSWER') return false;
  return REFUSALS.some((code) => code === error.code) || REFUSING_STATUSES.has(error.status);
}
