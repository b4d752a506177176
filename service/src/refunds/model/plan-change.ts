import type { Refund, RefundCause } from './refund.ts';
import { findRefundTransition, type RefundReasonCode, type RefundTransition } from './statuses.ts';

/** A permitted change of a refund's status, with the refund before and after it. */
export interface PlannedRefundChange {
  readonly before: Refund;
  readonly cause: RefundCause;
  readonly transition: RefundTransition;
  readonly after: Refund;
}

/**
 * Plans the changes that a cause brings, by the table of transitions. Writes nothing. Reports come
 * in any order: money that comes back from a CREATED refund proves that the network had it.
 *
 * @returns in their order; none where the table has no transition.
 */
export function planRefundChange(
  refund: Refund,
  cause: RefundCause,
  now: Date,
): readonly PlannedRefundChange[] {
  if (cause.name === 'MONEY_CAME_BACK' && refund.status === 'CREATED') {
    const [handedOver] = planRefundChange(refund, { name: 'HANDED_OVER' }, now);
    return handedOver ? [handedOver, ...planRefundChange(handedOver.after, cause, now)] : [];
  }
  const transition = findRefundTransition(refund.status, cause.name);
  if (!transition) return [];
  return [{ before: refund, cause, transition, after: apply(refund, cause, transition, now) }];
}

function apply(
  before: Refund,
  cause: RefundCause,
  transition: RefundTransition,
  now: Date,
): Refund {
  const last = before.events.at(-1)?.occurredAt ?? now;
  // Two machines' clocks may differ by a little; a list of events never runs backwards.
  const occurredAt = now < last ? last : now;
  return {
    ...before,
    status: transition.to,
    statusReasonCode: reasonAfter(cause, transition),
    payment: cause.name === 'EXECUTED' ? paymentOf(cause) : before.payment,
    version: before.version + 1,
    events: [...before.events, { status: transition.to, occurredAt }],
  };
}

function reasonAfter(cause: RefundCause, { reason }: RefundTransition): RefundReasonCode | null {
  if (reason !== 'SET') return reason;
  if (cause.name !== 'REFUSED') throw new Error(`${cause.name} brings no reason`);
  return cause.reasonCode;
}

function paymentOf({ movement, completedAt }: Extract<RefundCause, { name: 'EXECUTED' }>) {
  return { networkReference: movement.networkReference, completedAt };
}
