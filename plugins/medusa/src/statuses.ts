import type { PaymentActions, PaymentSessionStatus } from '@medusajs/framework/types';
import type { OneOf, PaymentRequestStatus } from '@payment-requests/sdk';

interface Standing {
  /** The status of the payment session (`PaymentSessionStatus` of Medusa). */
  readonly session: PaymentSessionStatus;
  /** The action that a webhook asks of Medusa (`PaymentActions`). */
  readonly action: PaymentActions;
}

const OPEN: Standing = { session: 'pending', action: 'pending' };
const ENDED: Standing = { session: 'canceled', action: 'canceled' };

/** Each status of a payment request in the words of Medusa. Only PAID captures. */
export const STANDINGS: Readonly<Record<PaymentRequestStatus, Standing>> = {
  CREATED: OPEN,
  PROCESSING: OPEN,
  PAID: { session: 'captured', action: 'captured' },
  FAILED: { session: 'error', action: 'failed' },
  EXPIRED: ENDED,
  CANCELLED: ENDED,
};

/** A status of a later version of the service captures nothing and ends nothing. */
export function standingOf(status: OneOf<PaymentRequestStatus>): Standing {
  return Object.hasOwn(STANDINGS, status) ? STANDINGS[status as PaymentRequestStatus] : OPEN;
}
