import type { Executor } from '#database/database.ts';
import { isPaymentOver, pollSoon } from '#payment-requests/network/request-store.ts';
import { type PaymentLinkState, type PaymentLinkView, paymentLinkState } from './link-state.ts';

/** The state that the link shows. While a payer waits, the network is polled at once. */
export async function currentState(db: Executor, view: PaymentLinkView): Promise<PaymentLinkState> {
  const state = paymentLinkState(view);
  if (state !== 'WAITING') return state;
  const { id } = view.paymentRequest;
  // The payment at the network is over and cannot succeed any more: the payer starts again.
  if (await isPaymentOver(db, id)) return 'OPEN';
  await pollSoon(db, id);
  return state;
}
