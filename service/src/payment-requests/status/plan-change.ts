import {
  type Cause,
  isExpiryDue,
  type PaymentRequest,
  reasonOf,
} from '#payment-requests/model/payment-request.ts';
import { findTransition, type Transition } from '#payment-requests/model/statuses.ts';

/** A move that the table allows, with the payment request before and after it. */
export interface PlannedMove {
  readonly from: PaymentRequest;
  readonly cause: Cause;
  readonly row: Transition;
  readonly moved: PaymentRequest;
}

/** What a cause makes of a payment request; null where the table has no move for it. Pure. */
export function planMove(from: PaymentRequest, cause: Cause, now: Date): PlannedMove | null {
  if (cause.name === 'EXPIRY_PASSED') return planExpiry(from, now);
  const row = findTransition(from.status, cause.name);
  return row ? { from, cause, row, moved: moveBy(from, cause, row, now) } : null;
}

/** The expiry that has passed and that nobody has written down yet; null when none has. Pure. */
export function planExpiry(from: PaymentRequest, now: Date): PlannedMove | null {
  const cause: Cause = { name: 'EXPIRY_PASSED' };
  const row = findTransition(from.status, cause.name);
  if (!row || !isExpiryDue(from, now)) return null;
  return { from, cause, row, moved: moveBy(from, cause, row, from.expiresAt) };
}

function moveBy(from: PaymentRequest, cause: Cause, row: Transition, at: Date): PaymentRequest {
  const last = from.events.at(-1)?.occurredAt ?? at;
  // Two machines' clocks may differ by a little; a list of events never runs backwards.
  const occurredAt = at < last ? last : at;
  return {
    ...from,
    status: row.to,
    statusReason: reasonOf(cause),
    paidLate: row.paidLate ?? false,
    payment:
      cause.name === 'PAYMENT_SUCCEEDED'
        ? {
            institution: cause.institution,
            networkReference: cause.networkReference,
            completedAt: cause.completedAt,
          }
        : null,
    version: from.version + 1,
    webhookSequence: from.webhookSequence + (row.webhook ? 1 : 0),
    events: [...from.events, { status: row.to, occurredAt }],
  };
}
