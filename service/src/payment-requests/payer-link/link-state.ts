import type { MerchantStatus } from '#merchants/merchant.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { type ClosedStatus, isOpen } from '#payment-requests/model/statuses.ts';

/** The page of a payment link. OPEN has no page: it leads to the network. */
export type PaymentLinkState =
  | 'OPEN'
  | 'WAITING'
  | 'PAID_LATE'
  | 'DECLINED'
  | 'SUSPENDED'
  | ClosedStatus;

export interface PaymentLinkView {
  /** The payment request at this moment. */
  readonly paymentRequest: PaymentRequest;
  readonly merchantStatus: MerchantStatus;
  /** The payer comes back from the network. */
  readonly hasReturned: boolean;
}

/** The page follows the state of the payment request, not the way that the payer came. Pure. */
export function paymentLinkState(view: PaymentLinkView): PaymentLinkState {
  const { status, statusReason, paidLate } = view.paymentRequest;
  if (status === 'PAID' && paidLate) return 'PAID_LATE';
  if (status === 'FAILED' && statusReason?.code === 'PAYER_DECLINED') return 'DECLINED';
  if (!isOpen(status)) return status;
  // Contract §4: open links of a suspended merchant cannot be paid.
  if (view.merchantStatus === 'SUSPENDED') return 'SUSPENDED';
  return view.hasReturned ? 'WAITING' : 'OPEN';
}
