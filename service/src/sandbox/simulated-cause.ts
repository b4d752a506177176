import type { Cause } from '#payment-requests/model/payment-request.ts';
import type { RefusalReasonCode } from '#payment-requests/model/statuses.ts';
import type { Action } from './outcomes.ts';

const INSTITUTION = 'Sandbox Simulator';

export interface SimulatedPayment {
  readonly paymentRequestId: string;
  readonly amountCents: number;
  /** With REFUSE only; null is the payer's own refusal. */
  readonly reasonCode: RefusalReasonCode | null;
}

/** What the simulator reports in place of the network, with the money arriving at `now`. Pure. */
export function simulatedCause(
  action: Action,
  { paymentRequestId, amountCents, reasonCode }: SimulatedPayment,
  now: Date,
): Cause {
  switch (action) {
    case 'ACCEPT':
      return { name: 'PAYMENT_ACCEPTED' };
    case 'REFUSE':
      return { name: 'PAYMENT_REFUSED', reasonCode: reasonCode ?? 'PAYER_DECLINED' };
    case 'EXPIRE':
      return { name: 'EXPIRY_PASSED' };
    case 'SUCCEED':
    case 'SUCCEED_LATE':
      return {
        name: 'PAYMENT_SUCCEEDED',
        amountCents,
        institution: INSTITUTION,
        networkReference: networkReferenceOf(paymentRequestId),
        completedAt: now,
      };
  }
}

/** The same at every repeat; the end of an identifier is its random part. */
function networkReferenceOf(paymentRequestId: string): string {
  return `SIM-${paymentRequestId.slice(-12).toUpperCase()}`;
}
