import { MOST_PARTS, partReference } from '#e-transfer/money-parts.ts';
import { isGone } from '#payment-requests/model/money/waiting.ts';
import type { KnownMovement } from '#payment-requests/network/money/movement-index.ts';

/** Money of an earlier booking. */
export interface Earlier {
  readonly old: KnownMovement;
  /** The booking of which `old` is a part, as it arrived; null: `old` is the booking itself. */
  readonly whole: KnownMovement | null;
}

/** Whether parts stand in the place of a movement. */
export function isSplit(movement: KnownMovement): boolean {
  return isGone(movement) && movement.type !== 'ADJUSTMENT';
}

/** The references that the parts of a movement can have. */
export function partReferences(networkReference: string): string[] {
  return Array.from({ length: MOST_PARTS }, (_, at) => partReference(networkReference, at + 1));
}

/**
 * The money of earlier bookings that a corrected one can replace. Parts stand in the place of a
 * booking that was split; when one of them was corrected, the later booking has taken its place.
 * Pure.
 *
 * @param named the bookings, the latest last
 * @param incoming every movement by its reference, with the parts
 */
export function earlierAmong(
  named: readonly string[],
  incoming: ReadonlyMap<string, KnownMovement>,
): Earlier[] {
  const bookings = named.flatMap((reference) => incoming.get(reference) ?? []);
  return bookings.flatMap((whole) =>
    leavesOf(whole, incoming)
      .filter((old) => !isGone(old))
      .map((old) => ({ old, whole: old === whole ? null : whole })),
  );
}

/** The movement itself, or the last parts of it. */
function leavesOf(
  movement: KnownMovement,
  incoming: ReadonlyMap<string, KnownMovement>,
): KnownMovement[] {
  if (!isSplit(movement)) return [movement];
  const parts = partReferences(movement.networkReference).flatMap(
    (each) => incoming.get(each) ?? [],
  );
  return parts.flatMap((part) => leavesOf(part, incoming));
}

/**
 * The cents of a corrected booking that take the place of earlier money. The difference between the
 * two bookings is that of the part which a person names. Pure.
 */
export function correctedCents({ old, whole }: Earlier, bookingCents: number): number {
  return whole === null ? bookingCents : old.amountCents + bookingCents - whole.amountCents;
}
