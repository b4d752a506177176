import type { Cause } from '#payment-requests/model/cause.ts';
import { bareMovement, paymentEntries } from '#payment-requests/model/money/movements.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import type { RefusalReasonCode } from '#payment-requests/model/statuses.ts';
import type { Action } from './outcomes.ts';

export const INSTITUTION = 'Sandbox Simulator';

/**
 * The cause that the simulator has in place of a network's report. The money arrives at `now`.
 *
 * @param reasonCode with REFUSE only; null is the payer's own refusal.
 */
export function simulatedCause(
  action: Action,
  locked: PaymentRequest,
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
    case 'SUCCEED_LATE': {
      const { id, amountCents } = locked;
      const networkReference = networkReferenceOf(id);
      // Parts have arrived before: this is the rest.
      const rest = bareMovement(networkReference, amountCents - heldCents(locked));
      return {
        name: 'PAYMENT_SUCCEEDED',
        amountCents,
        entries: paymentEntries(paymentRequestAt(locked, now), [rest]),
        institution: INSTITUTION,
        networkReference,
        completedAt: now,
      };
    }
  }
}

/** A repeat gives an equal reference; the end of an identifier is its random part. */
export function networkReferenceOf(paymentRequestId: string): string {
  return `SIM-${paymentRequestId.slice(-12).toUpperCase()}`;
}
