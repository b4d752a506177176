import type { Database } from '#database/database.ts';
import { type RunMode, runOrRehearse } from '#database/rehearse.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { notifyOfChanges } from '#payment-requests/read/change-signal-store.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import { notifySenders } from '#webhooks/events/outbox.ts';
import { cancelPaymentRequest } from './cancel.ts';
import type { CancellationBody } from './schemas.ts';

export interface CancelForOperatorDeps
  extends Pick<ChangeStatusDeps, 'clock' | 'settings' | 'misbehaviourOf' | 'messages'> {
  readonly db: Database;
  /** The operator, for the audit log. */
  readonly actor: string;
}

export interface OperatorCancellation {
  readonly paymentRequest: PaymentRequest;
  /** false: the payment request was cancelled before. */
  readonly isChanged: boolean;
}

/**
 * Cancels a payment request for an operator, by the rules of the merchant's own call (contract §4,
 * Cancel). The audit log names the operator. The comment stays in the timeline, so that the erasure
 * of a payer removes it.
 *
 * @throws Problem as `cancelPaymentRequest`
 */
export async function cancelForOperator(
  { db, clock, settings, misbehaviourOf, messages, actor }: CancelForOperatorDeps,
  { id, merchant }: PaymentRequest,
  body: Partial<CancellationBody>,
  mode: RunMode = 'DO',
): Promise<OperatorCancellation> {
  const deps: ChangeStatusDeps = {
    db,
    clock,
    settings,
    ...(misbehaviourOf && { misbehaviourOf }),
    ...(messages && { messages }),
    // The signals are sent below: this process ends before a signal in the background is sent.
    wakeSenders() {},
    onStatusChanged() {},
    // A cancellation opens no case.
    onCaseOpened() {},
  };
  const asked = { id, body, faults: [], ifMatch: undefined, isOperator: true };
  const result = await runOrRehearse(db, mode, async (tx) => {
    const { paymentRequest, isChanged } = await cancelPaymentRequest(tx, deps, merchant.id, asked);
    if (isChanged) {
      await recordAct(tx, { clock, actor }, 'PAYMENT_REQUEST_CANCELLED', merchant.id, {
        paymentRequestId: id,
        ...(body.reason && { reason: body.reason }),
      });
    }
    return { paymentRequest, isChanged };
  });
  if (result.isChanged && mode === 'DO') {
    // A lost signal delays the webhook by a second, and a waiting call by its wait.
    await notifyOfChanges(db, [id]).catch(() => {});
    await notifySenders(db).catch(() => {});
  }
  return result;
}
