import type { Executor } from '#database/database.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { isGone } from '#payment-requests/model/money/waiting.ts';
import type { KnownMovement } from '#payment-requests/network/money/known-money.ts';
import { findMovements } from '#payment-requests/network/money/movement-store.ts';
import { findCasesAbout } from '../case-store.ts';
import { correctedReferencesOf, type OperatorCase } from '../model/operator-case.ts';

/** An earlier booking that a case corrects, and the payment request that has its money. */
export interface Replaced {
  readonly old: KnownMovement;
  /** null: the money waits, and names no single payment request. */
  readonly paymentRequestId: string | null;
}

/** The earlier bookings that a case corrects and that were not replaced or split before. */
export async function findEarlier(
  db: Executor,
  operatorCase: Pick<OperatorCase, 'details'>,
): Promise<KnownMovement[]> {
  const named = correctedReferencesOf(operatorCase);
  const { incoming } = await findMovements(db, named);
  const all = named.flatMap((reference) => incoming.get(reference) ?? []);
  return all.filter((each) => !isGone(each));
}

/**
 * Finds the earlier booking of a case, without locks.
 *
 * @returns null: the case corrects no booking
 * @throws OperatorFault when it names several, and the operator none
 */
export async function findReplaced(
  db: Executor,
  operatorCase: Pick<OperatorCase, 'details'>,
  movement: string | null,
): Promise<Replaced | null> {
  if (correctedReferencesOf(operatorCase).length === 0) return null;
  const left = await findEarlier(db, operatorCase);
  const chosen =
    movement === null ? left : left.filter((each) => each.networkReference === movement);
  const [old, ...others] = chosen;
  if (!old) throw new OperatorFault('The earlier booking was replaced or split before.');
  if (others.length > 0) {
    const names = left.map(({ networkReference }) => networkReference).join(', ');
    throw new OperatorFault(`Give --movement: several bookings came before, ${names}.`);
  }
  if (old.paymentRequestId !== null) return { old, paymentRequestId: old.paymentRequestId };
  const about = await findCasesAbout(db, old.networkReference);
  return { old, paymentRequestId: placeOf(about)?.paymentRequestId ?? null };
}

/** The kinds whose money follows the table for their payment request; the others wait again. */
const FOLLOWS_TABLE = new Set(['AMOUNT_MISMATCH', 'SECOND_PAYMENT']);

function placeOf(about: readonly OperatorCase[]): OperatorCase | null {
  return about.find(({ kind, closedAt }) => !closedAt && FOLLOWS_TABLE.has(kind)) ?? null;
}
