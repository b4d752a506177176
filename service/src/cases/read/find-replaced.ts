import type { Executor } from '#database/database.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import type { KnownMovement } from '#payment-requests/network/money/movement-index.ts';
import { findMovements } from '#payment-requests/network/money/movement-store.ts';
import { findCasesAbout } from '../case-store.ts';
import { correctedReferencesOf, type OperatorCase } from '../model/operator-case.ts';
import { type Earlier, earlierAmong, isSplit, partReferences } from './earlier-bookings.ts';

/** Money of an earlier booking that a case corrects, and the payment request that has it. */
export interface Replaced extends Earlier {
  /** null: the money waits, and names no single payment request. */
  readonly paymentRequestId: string | null;
}

/** A part can be split in its turn; deeper parts than a person makes stay where they are. */
const DEEPEST_PARTS = 3;

/** The money of the earlier bookings that a case corrects, in the order of the bookings. */
export async function findEarlier(
  db: Executor,
  operatorCase: Pick<OperatorCase, 'details'>,
): Promise<Earlier[]> {
  const named = correctedReferencesOf(operatorCase);
  const incoming = new Map<string, KnownMovement>();
  let references = named;
  for (let depth = 0; depth <= DEEPEST_PARTS && references.length > 0; depth += 1) {
    const known = await findMovements(db, references);
    for (const [reference, movement] of known.incoming) incoming.set(reference, movement);
    const split = [...known.incoming.values()].filter(isSplit);
    references = split.flatMap((each) => partReferences(each.networkReference));
  }
  return earlierAmong(named, incoming);
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
    movement === null ? left : left.filter(({ old }) => old.networkReference === movement);
  const [earlier, ...others] = chosen;
  if (!earlier) throw new Refusal('replace.before');
  if (others.length > 0) {
    const names = left.map(({ old }) => old.networkReference).join(', ');
    throw new Refusal('replace.which', { names });
  }
  const { old } = earlier;
  if (old.paymentRequestId !== null) return { ...earlier, paymentRequestId: old.paymentRequestId };
  const about = await findCasesAbout(db, old.networkReference);
  return { ...earlier, paymentRequestId: placeOf(about)?.paymentRequestId ?? null };
}

/** The kinds whose money follows the table for their payment request; the others wait again. */
const FOLLOWS_TABLE = new Set(['AMOUNT_MISMATCH', 'SECOND_PAYMENT']);

function placeOf(about: readonly OperatorCase[]): OperatorCase | null {
  return about.find(({ kind, closedAt }) => !closedAt && FOLLOWS_TABLE.has(kind)) ?? null;
}
