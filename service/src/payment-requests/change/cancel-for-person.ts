import { recordAct } from '#merchants/audit-log-store.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import { type AskedCancellation, cancelPaymentRequest } from './cancel.ts';

/** A person who acts in the console. */
export interface ActingPerson {
  /** For the audit log. */
  readonly actor: string;
  /** false: a person of the merchant; the timeline then names no operator. */
  readonly isOperator: boolean;
}

/**
 * Cancels a payment request for a person, by the rules of the merchant's own call (contract §4,
 * Cancel). The audit log names the person. The comment stays in the timeline, so that the erasure
 * of a payer removes it.
 *
 * @throws Problem as `cancelPaymentRequest`
 */
export async function cancelForPerson(
  deps: ChangeStatusDeps,
  { actor, isOperator }: ActingPerson,
  merchantId: string,
  { id, body, faults }: Pick<AskedCancellation, 'id' | 'body' | 'faults'>,
): Promise<PaymentRequest> {
  const asked = { id, body, faults, ifMatch: undefined, isOperator };
  const { paymentRequest, publish } = await deps.db.transaction(async (tx) => {
    const cancelled = await cancelPaymentRequest(tx, deps, merchantId, asked);
    if (cancelled.isChanged) {
      await recordAct(tx, { clock: deps.clock, actor }, 'PAYMENT_REQUEST_CANCELLED', merchantId, {
        paymentRequestId: cancelled.paymentRequest.id,
        ...(body.reason && { reason: body.reason }),
      });
    }
    return cancelled;
  });
  publish();
  return paymentRequest;
}
