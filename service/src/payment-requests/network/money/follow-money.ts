import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { findPaymentRequests } from '#payment-requests/lookup/find-store.ts';
import { sumOf } from '#payment-requests/model/money/movements.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import {
  followCases,
  type HoldingCase,
  type NamingCase,
  NO_FACTS,
} from '#payment-requests/model/money/waiting.ts';
import { hasPartCase } from '#payment-requests/model/plan-change.ts';
import { holdsMoney } from '#payment-requests/status/money-case-store.ts';
import { closeOvertaken, reopenCases } from '#payment-requests/status/operator-cases.ts';
import { findCasesAboutMoney, type StoredCase, saveThere } from './follow-store.ts';
import { type MovementIndex, waitingFor } from './movement-index.ts';
import { findMovementFacts, findMovements } from './movement-store.ts';

/** The kinds whose money is meant for their payment request: its page counts what waits. */
const MEANT = new Set(['AMOUNT_MISMATCH', 'AMOUNT_ABOVE_LIMIT']);

/**
 * Lets cases and pages follow the money of payment requests (contract §11), after money has moved,
 * in the transaction that moved it and has locked them. A case of which nothing is left is closed
 * as overtaken; a case whose refund failed is open again. The network's page learns the sum.
 *
 * @param references movements that may be held for other payment requests, too
 */
export async function followMoney(
  tx: Executor,
  { clock }: { readonly clock: Clock },
  paymentRequestIds: readonly string[],
  references: readonly string[] = [],
): Promise<void> {
  const naming = await findNaming(tx, references);
  const others = naming.flatMap(({ paymentRequestId }) => paymentRequestId ?? []);
  const ids = [...new Set([...paymentRequestIds, ...others])];
  if (ids.length === 0 && naming.length === 0) return;
  const caseIds = naming.map(({ id }) => id);
  const cases = await findCasesAboutMoney(tx, ids, caseIds);
  const known = await findMovements(tx, [...new Set(cases.flatMap(referencesOfStored))]);
  const { toClose, toReopen } = followCases(cases.filter(isOfHeldMoney).map(withMoney(known)));
  const closing = [...toClose, ...cases.filter(isListed(known)).map(({ id }) => id)];
  const reopening = [...toReopen];
  const there = new Map<string, number>();
  for (const paymentRequest of await findPaymentRequests(tx, ids)) {
    const { id } = paymentRequest;
    const own = cases.filter((each) => each.paymentRequestId === id);
    const parts = own.filter(({ kind }) => kind === 'PART_PAYMENT');
    const open = parts.filter(({ isOpen }) => isOpen);
    if (!hasPartCase(paymentRequest)) closing.push(...open.map((each) => each.id));
    const last = parts.at(-1);
    const isBack = hasPartCase(paymentRequest) && open.length === 0;
    // A case that was overtaken, or whose refund failed: a person has closed no other.
    const isAgain = last?.settlement === null || last?.settlement === 'REFUNDED';
    if (isBack && last && isAgain) reopening.push(last.id);
    const held = Math.max(0, heldCents(paymentRequest));
    // Money that waits beside a payment is none of the page's sum.
    const waiting = paymentRequest.payment === null ? waitingCents(id, own, known) : 0;
    there.set(id, held + waiting);
  }
  await closeOvertaken(tx, { clock }, closing);
  await reopenCases(tx, reopening);
  await saveThere(tx, there);
}

/**
 * The cases that name movements: two reports may name one for different payment requests, and money
 * that fits none has a case without any.
 */
async function findNaming(tx: Executor, references: readonly string[]): Promise<NamingCase[]> {
  const facts = await findMovementFacts(tx, references);
  return [...facts.values()].flatMap(({ cases }) => cases);
}

/** Cases with the movements that they name, and what became of these. */
export async function casesWithMoney(
  db: Executor,
  cases: readonly StoredCase[],
): Promise<HoldingCase[]> {
  const known = await findMovements(db, [...new Set(cases.flatMap(referencesOfStored))]);
  return cases.map(withMoney(known));
}

const isOfHeldMoney = ({ kind }: StoredCase): boolean => holdsMoney(kind);

/** A statement has listed the money meanwhile, so the ledger has it. */
const isListed =
  ({ incoming, returns }: MovementIndex) =>
  (stored: StoredCase): boolean =>
    stored.kind === 'NOT_ON_STATEMENT' &&
    stored.isOpen &&
    referencesOfStored(stored).every((each) => incoming.has(each) || returns.has(each));

/** Case details list one movement or several. */
export function referencesOfStored({ networkReference, networkReferences }: StoredCase): string[] {
  return networkReferences ?? (networkReference === null ? [] : [networkReference]);
}

const withMoney =
  (known: MovementIndex) =>
  (stored: StoredCase): HoldingCase => {
    const references = referencesOfStored(stored);
    const movements = references.flatMap((reference) => {
      const movement = known.incoming.get(reference);
      return movement ? [{ ...movement, facts: known.facts.get(reference) ?? NO_FACTS }] : [];
    });
    return { ...stored, movements, isWhole: movements.length === references.length };
  };

/** The movements that wait for a payment request, each once. */
function waitingCents(id: string, cases: readonly StoredCase[], known: MovementIndex): number {
  const meant = cases.filter(({ kind }) => MEANT.has(kind));
  const references = [...new Set(meant.flatMap(referencesOfStored))];
  const movements = references.flatMap((reference) => known.incoming.get(reference) ?? []);
  return sumOf(movements.flatMap((movement) => waitingFor(id, known, movement)));
}
