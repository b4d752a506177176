import type { EntryType } from '#ledger/model/entry.ts';
import type { PlannedEntry } from '#payment-requests/model/money/movements.ts';
import {
  type MovementFacts,
  NO_FACTS,
  type WeighedMovement,
  waitingCentsFor,
  weighMovement,
} from '#payment-requests/model/money/waiting.ts';

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

export interface MovementIndex {
  /**
   * By network reference; ASSIGNED replaces what an operator has decided of. A part that waits is
   * UNMATCHED. See `isGone` for money that stands under other references now.
   */
  readonly incoming: Map<string, KnownMovement>;
  readonly returns: Map<string, KnownMovement>;
  /** The outcomes of the incoming movements that were held for an operator, by reference. */
  readonly facts: Map<string, MovementFacts>;
}

export function emptyMovementIndex(): MovementIndex {
  return { incoming: new Map(), returns: new Map(), facts: new Map() };
}

/** Adds a movement that is known, or that a plan writes. A later one replaces an earlier one. */
export function rememberMovement(known: MovementIndex, movement: KnownMovement): void {
  const { networkReference, type } = movement;
  const direction = type === 'RETURN' ? known.returns : known.incoming;
  // An operator moves what was left: the amount that has arrived stays the reported one.
  const isMoved = type === 'ASSIGNED' || type === 'ADJUSTMENT';
  const arrived = isMoved ? direction.get(networkReference) : undefined;
  const amountCents = arrived?.amountCents ?? movement.amountCents;
  direction.set(networkReference, { ...movement, amountCents });
}

/** Adds what a plan writes, for the plans after it. */
export function rememberEntry(known: MovementIndex, entry: PlannedEntry, now: Date): void {
  const { networkReference, amountCents } = entry;
  const isLeaving = amountCents < 0 && entry.type !== 'RETURN';
  if (networkReference === null || isLeaving) return;
  const movement = { ...entry, networkReference, amountCents: Math.abs(amountCents), at: now };
  rememberMovement(known, movement);
}

/** Adds money that a plan takes back from a movement, for the plans after it. */
export function rememberTakenBack(known: MovementIndex, reference: string, cents: number): void {
  const before = known.facts.get(reference) ?? NO_FACTS;
  known.facts.set(reference, { ...before, takenBackCents: before.takenBackCents + cents });
}

/** Whether a movement came as money that waits for an operator. */
export function isHeld({ type }: Pick<KnownMovement, 'type'>): boolean {
  return type === 'UNMATCHED' || type === 'SECOND_PAYMENT';
}

/** The references of money that waits. Cases of other payment requests may name it, too. */
export function heldReferencesOf(entries: readonly PlannedEntry[]): string[] {
  return entries.filter(isHeld).flatMap(({ networkReference }) => networkReference ?? []);
}

/** The outcome of a movement. */
export function weighKnown(known: MovementIndex, movement: KnownMovement): WeighedMovement {
  return weighMovement(movement, known.facts.get(movement.networkReference) ?? NO_FACTS);
}

/** The movements that wait under references: `amountCents` of each is what is left. */
export function waitingUnder(known: MovementIndex, references: readonly string[]): KnownMovement[] {
  return references.flatMap((reference) => {
    const movement = known.incoming.get(reference);
    if (!movement) return [];
    const { state, leftCents } = weighKnown(known, movement);
    return state === 'WAITS' ? [{ ...movement, amountCents: leftCents }] : [];
  });
}

/** The part of a movement that waits for this payment request; SECOND_PAYMENT stays apart. */
export function waitingFor(
  paymentRequestId: string,
  known: MovementIndex,
  movement: KnownMovement,
): KnownMovement[] {
  if (movement.type !== 'UNMATCHED') return [];
  const facts = known.facts.get(movement.networkReference) ?? NO_FACTS;
  const amountCents = waitingCentsFor(paymentRequestId, movement, facts);
  return amountCents > 0 ? [{ ...movement, amountCents }] : [];
}
