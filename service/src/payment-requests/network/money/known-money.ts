import type { EntryType } from '#ledger/model/entry.ts';
import type { PlannedEntry } from '#payment-requests/model/money/movements.ts';

/** Money that has moved under a network reference, as the ledger has it. */
export interface KnownMovement {
  readonly type: EntryType;
  readonly networkReference: string;
  /** Positive in both directions. */
  readonly amountCents: number;
  /** ISO 4217; null: the deployment's. */
  readonly currency: string | null;
  /** null: it belongs to no payment request. */
  readonly paymentRequestId: string | null;
  readonly merchantId: string | null;
  readonly bankReference: string | null;
  readonly bookingDate: string | null;
  readonly at: Date;
}

export interface KnownMoney {
  /**
   * By network reference; ASSIGNED replaces what an operator has decided of. A part that waits is
   * UNMATCHED. See `isGone` for money that stands under other references now.
   */
  readonly incoming: Map<string, KnownMovement>;
  readonly returns: Map<string, KnownMovement>;
}

export function noKnownMoney(): KnownMoney {
  return { incoming: new Map(), returns: new Map() };
}

/** Adds a movement that is known, or that a plan writes. A later one replaces an earlier one. */
export function rememberMovement(known: KnownMoney, movement: KnownMovement): void {
  const direction = movement.type === 'RETURN' ? known.returns : known.incoming;
  direction.set(movement.networkReference, movement);
}

/** Adds what a plan writes, for the plans after it. */
export function rememberEntry(known: KnownMoney, entry: PlannedEntry, now: Date): void {
  const { networkReference, amountCents } = entry;
  const isLeaving = amountCents < 0 && entry.type !== 'RETURN';
  if (networkReference === null || isLeaving) return;
  const movement = { ...entry, networkReference, amountCents: Math.abs(amountCents), at: now };
  rememberMovement(known, movement);
}

/** Whether a movement is part of the sums of its payment request. */
export function isCounted(movement: KnownMovement): boolean {
  const { type, paymentRequestId } = movement;
  return paymentRequestId !== null && type !== 'SECOND_PAYMENT' && !isGone(movement);
}

/** Whether a corrected booking has replaced the movement, or parts stand in its place. */
export function isGone({ type, paymentRequestId }: KnownMovement): boolean {
  return type === 'ADJUSTMENT' || (type === 'ASSIGNED' && paymentRequestId === null);
}

/** Whether a movement waits for an operator. */
export function isWaiting({ type }: KnownMovement): boolean {
  return type === 'UNMATCHED';
}
