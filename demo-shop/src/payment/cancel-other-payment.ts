import { type Client, type PaymentRequest, PaymentRequestsError } from '@payment-requests/sdk';
import { readMerchantTransactionId } from '../order.ts';
import type { OrderStore } from '../order-store.ts';

/**
 * After an earlier payment request of an order was paid late, the later one is still open: it is
 * cancelled, so that nobody pays twice. If that fails, it expires by itself.
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
