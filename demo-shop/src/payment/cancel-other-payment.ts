import { type Client, type PaymentRequest, PaymentRequestsError } from '@payment-requests/sdk';
import { readMerchantTransactionId } from '../order.ts';
import type { OrderStore } from '../order-store.ts';

/**
 * Cancels an order's later payment request when the earlier payment request was paid late, so that
 * the customer does not pay twice. After a failed cancellation the payment request expires.
 */
export async function cancelOtherPayment(
  { orders, client }: { readonly orders: OrderStore; readonly client: Client },
  paid: PaymentRequest,
): Promise<void> {
  const reference = readMerchantTransactionId(paid.merchantTransactionId);
  const latest = reference && orders.findOrder(reference.orderId)?.payment;
  if (!latest || latest.id === paid.id || latest.status !== 'CREATED') return;
  try {
    await client.cancelPaymentRequest(latest.id, { reason: 'DUPLICATE' });
  } catch (error) {
    if (!(error instanceof PaymentRequestsError)) throw error;
    console.error(`Payment request ${latest.id} cannot be cancelled: ${error.message}`);
  }
}
