import type { MerchantStatus } from '#merchants/merchant.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';

/** What a payment link shows. OPEN shows nothing: it leads to the network. */
export type PaymentLinkState =
  | 'OPEN'
  | 'WAITING'
  | 'PROCESSING'
  | 'PAID'
  | 'PAID_LATE'
  | 'FAILED'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'SUSPENDED';

export interface PaymentLinkView {
  /** As it is now. */
  readonly paymentRequest: PaymentRequest;
  readonly merchantStatus: MerchantStatus;
  /** The payer comes back from the network. */
  readonly hasReturned: boolean;
}

/** The page follows the state of the payment request, not the way that the payer came. Pure. */
export function paymentLinkState(view: PaymentLinkView): PaymentLinkState {
  const { status, paidLate } = view.paymentRequest;
  if (status === 'PAID') return paidLate ? 'PAID_LATE' : 'PAID';
  if (status !== 'CREATED') return status;
  // Contract §4: open links of a suspended merchant cannot be paid.
  if (view.merchantStatus === 'SUSPENDED') return 'SUSPENDED';
  return view.hasReturned ? 'WAITING' : 'OPEN';
}
