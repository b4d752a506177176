import type { Cause } from '#payment-requests/model/cause.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { RefusalReasonCode } from '#payment-requests/model/statuses.ts';
import type { Action } from './outcomes.ts';

const INSTITUTION = 'Sandbox Simulator';

/**
 * The cause that the simulator has in place of a network's report. The money arrives at `now`.
 *
 * @param reasonCode with REFUSE only; null is the payer's own refusal.
 */
export function simulatedCause(
  action: Action,
  { id, amountCents }: Pick<PaymentRequest, 'id' | 'amountCents'>,
  reasonCode: RefusalReasonCode | null,
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
        networkReference: networkReferenceOf(id),
        completedAt: now,
      };
  }
}

/** A repeat gives an equal reference; the end of an identifier is its random part. */
function networkReferenceOf(paymentRequestId: string): string {
  return `SIM-${paymentRequestId.slice(-12).toUpperCase()}`;
}
