import type { Executor } from '#database/database.ts';
import { matchesSome } from '#http/headers/entity-tag.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import { textFaults } from '#payment-requests/model/field-rules.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { isOpen, refusalOfStatus } from '#payment-requests/model/statuses.ts';
import { type ChangeStatusDeps, changeLocked } from '#payment-requests/status/change-status.ts';
import { lockOwnPaymentRequest } from '#payment-requests/status/lock-own.ts';
import { insertTimelineEntries } from '#payment-requests/timeline/timeline-store.ts';
import type { ChangedRequest } from './reply-once.ts';
import type { CancellationBody } from './schemas.ts';

export interface AskedCancellation {
  readonly id: string;
  readonly body: Partial<CancellationBody>;
  /** The schema's faults of the body. */
  readonly faults: readonly FieldFault[];
  readonly ifMatch: string | undefined;
  /** An operator asks, not the merchant; the timeline says so. */
  readonly isOperator?: boolean;
}

export interface Cancellation extends ChangedRequest {
  /** false: the payment request was cancelled before. */
  readonly isChanged: boolean;
}

const MEMBERS_KEPT: ReadonlySet<string> = new Set(['comment']);

/**
 * Cancels a payment request in the caller's transaction (contract §4, Cancel). A payment
 * request that is cancelled already is answered as it is, whatever version `If-Match` names: what
 * was asked for has been done (RFC 9110 §13.1.1).
 *
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND, VALIDATION_ERROR, ALREADY_PAID, ALREADY_EXPIRED,
 *         ALREADY_FAILED, PAYMENT_IN_PROGRESS, VERSION_MISMATCH.
 */
export async function cancelPaymentRequest(
  tx: Executor,
  deps: ChangeStatusDeps,
  merchantId: string,
  { id, body, faults, ifMatch, isOperator = false }: AskedCancellation,
): Promise<Cancellation> {
  throwFaults([...faults, ...textFaults(body, MEMBERS_KEPT)]);
  const locked = await lockOwnPaymentRequest(tx, merchantId, id);
  const now = deps.clock.now();
  const { status, version } = paymentRequestAt(locked, now);
  if (status === 'CANCELLED') {
    return { paymentRequest: locked, publish() {}, isChanged: false };
  }
  if (!isOpen(status)) throw refusalOfStatus(status);
  if (!matchesSome(ifMatch, version)) throw new Problem('VERSION_MISMATCH');
  const { reason, comment } = body;
  await insertTimelineEntries(tx, [
    {
      paymentRequestId: locked.id,
      type: 'CANCELLATION_REQUESTED',
      occurredAt: now,
      details: {
        ...(reason && { reason }),
        ...(comment && { comment }),
        ...(isOperator && { requestedBy: 'OPERATOR' }),
      },
    },
  ]);
  const cause = { name: 'CANCELLED_BY_MERCHANT' } as const;
  const { plan, publish } = await changeLocked(tx, deps, locked, cause);
  const { outcome, paymentRequest } = plan;
  // The expiry may have passed since the status was checked above.
  if (outcome !== 'CHANGED') throw refusalOfStatus('EXPIRED');
  return { paymentRequest, publish, isChanged: true };
}
