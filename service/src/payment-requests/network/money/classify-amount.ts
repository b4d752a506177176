import type { MoneyMovement } from '#e-transfer/network-money.ts';
import { entryOf, type PlannedEntry, sumOf } from '#payment-requests/model/money/movements.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import { isCounted, NO_FACTS, ownersOf } from '#payment-requests/model/money/waiting.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { amountMismatch, type NewOperatorCase } from '#payment-requests/model/plan-change.ts';
import { type KnownMovement, type MovementIndex, waitingFor } from './movement-index.ts';

/** Money that a report says has arrived for a payment request. */
export interface ArrivedMoney {
  readonly movements: readonly MoneyMovement[];
  /** The movement that the report names. */
  readonly networkReference: string;
  /** ISO 4217. */
  readonly currency: string;
  /** null: the network does not name it. */
  readonly institution: string | null;
}

export type Weighed =
  /** Every movement counts for this payment request already. */
  | { readonly kind: 'COUNTED' }
  /** The money waits for an operator already. */
  | { readonly kind: 'HELD' }
  | WeighedCase
  /** Money for the payment request; the ledger lacks `fresh`, and `sumCents` is the sum with it. */
  | {
      readonly kind: 'FITS';
      readonly fresh: readonly MoneyMovement[];
      readonly sumCents: number;
    };

/** Cases for an operator; `entries` are those of money that the ledger lacks. */
interface WeighedCase {
  readonly kind: 'CASE';
  readonly operatorCases: readonly NewOperatorCase[];
  readonly entries: readonly PlannedEntry[];
}

/**
 * Weighs money by what the ledger has. Money that cannot be the payment asked for is a case for an
 * operator (contract §5): another currency, a contradiction to an earlier report, the reference of
 * another payment request, money beside a payment, or more than the amount. Money that was given
 * back or taken back is no part of the sum.
 */
export function classifyAmount(
  current: PaymentRequest,
  money: ArrivedMoney,
  known: MovementIndex,
  currency: string,
): Weighed {
  const { movements } = money;
  const fresh = movements.filter(({ networkReference }) => !known.incoming.has(networkReference));
  if (money.currency !== currency) {
    return caseOf(current, 'CURRENCY_MISMATCH', money, unmatched(current, fresh, money.currency));
  }
  const contradiction = findContradictions(current, money, known);
  if (contradiction) return withFresh(contradiction, current, money, fresh);
  if (current.payment !== null && fresh.length > 0) return besidePayment(current, money, fresh);
  const seen = movements.flatMap(({ networkReference: name }) => known.incoming.get(name) ?? []);
  if (fresh.length === 0 && seen.some((movement) => !isCounted(movement))) return { kind: 'HELD' };
  if (fresh.length === 0 && current.payment !== null) return { kind: 'COUNTED' };
  const waiting = seen.flatMap((movement) => waitingFor(current.id, known, movement));
  const sumCents = heldCents(current) + sumOf(waiting) + sumOf(fresh);
  if (waiting.length > 0 || sumCents > current.amountCents) {
    return mismatch(current, money, { waiting: [...waiting, ...fresh], fresh, sumCents });
  }
  return { kind: 'FITS', fresh, sumCents };
}

/** Another amount than the one asked for: a case with the true sum and all that waits. */
export function mismatch(
  current: PaymentRequest,
  { currency, institution }: Pick<ArrivedMoney, 'currency' | 'institution'>,
  { waiting, fresh, sumCents }: Mismatch,
): WeighedCase {
  const networkReferences = waiting.map(({ networkReference }) => networkReference);
  const networkReference = networkReferences.at(-1) ?? '';
  const found = amountMismatch(current, { amountCents: sumCents, networkReference });
  const details = {
    ...found.details,
    currency,
    ...(institution !== null && { institution }),
    ...(networkReferences.length > 1 && { networkReferences }),
  };
  return {
    kind: 'CASE',
    operatorCases: [{ ...found, details }],
    entries: unmatched(current, fresh),
  };
}

interface Mismatch {
  /** All movements that wait for the operator's decision. */
  readonly waiting: readonly Pick<MoneyMovement, 'networkReference'>[];
  /** Those of them that the ledger lacks. */
  readonly fresh: readonly MoneyMovement[];
  readonly sumCents: number;
}

/** Movements that were reported before with another amount, or for another payment request. */
function findContradictions(
  current: PaymentRequest,
  money: ArrivedMoney,
  known: MovementIndex,
): WeighedCase | null {
  const found = money.movements.flatMap((movement): NewOperatorCase[] => {
    const before = known.incoming.get(movement.networkReference);
    if (!before) return [];
    const isOfAnother = (before.paymentRequestId ?? current.id) !== current.id;
    if (isOfAnother || isHeldForAnother(current, before, known)) {
      return [...caseOf(current, 'REFERENCE_REUSED', partOf(money, [movement]), []).operatorCases];
    }
    if (before.amountCents === movement.amountCents) return [];
    const { amountCents: sumCents } = movement;
    const contradicted = { waiting: [movement], fresh: [], sumCents };
    return [...mismatch(current, money, contradicted).operatorCases];
  });
  return found.length > 0 ? { kind: 'CASE', operatorCases: found, entries: [] } : null;
}

/** Whether the money waits, and every open case about it names another payment request. */
function isHeldForAnother({ id }: PaymentRequest, before: KnownMovement, known: MovementIndex) {
  const owners = ownersOf(known.facts.get(before.networkReference) ?? NO_FACTS);
  const isOther = owners.every((owner) => owner !== null && owner !== id);
  return before.type === 'UNMATCHED' && owners.length > 0 && isOther;
}

/**
 * Adds the other money of a contradictory report: it has moved too, and goes to the ledger and to a
 * case of its own.
 */
function withFresh(
  contradiction: WeighedCase,
  current: PaymentRequest,
  money: ArrivedMoney,
  fresh: readonly MoneyMovement[],
): WeighedCase {
  if (fresh.length === 0) return contradiction;
  const sumCents = heldCents(current) + sumOf(fresh);
  const beside =
    current.payment === null
      ? mismatch(current, money, { waiting: fresh, fresh, sumCents })
      : besidePayment(current, money, fresh);
  return {
    kind: 'CASE',
    operatorCases: [...contradiction.operatorCases, ...beside.operatorCases],
    entries: [...contradiction.entries, ...beside.entries],
  };
}

/** The part of the money that a case is about. */
function partOf(money: ArrivedMoney, movements: readonly MoneyMovement[]): ArrivedMoney {
  const last = movements.at(-1);
  return { ...money, movements, networkReference: last?.networkReference ?? '' };
}

/** Cases are equal when their details are, so the order of a report changes nothing here. */
function caseOf(
  { id, amountCents, merchant }: PaymentRequest,
  kind: NewOperatorCase['kind'],
  { movements, networkReference, currency, institution }: ArrivedMoney,
  entries: readonly PlannedEntry[],
): WeighedCase {
  const networkReferences = movements.map((movement) => movement.networkReference).sort();
  const details = {
    askedCents: amountCents,
    arrivedCents: sumOf(movements),
    networkReference,
    currency,
    ...(institution !== null && { institution }),
    ...(networkReferences.length > 1 && { networkReferences }),
  };
  const operatorCase = { kind, paymentRequestId: id, merchantId: merchant.id, details };
  return { kind: 'CASE', operatorCases: [operatorCase], entries };
}

/** Money that waits for an operator belongs to no payment request yet. */
function unmatched(
  { merchant }: PaymentRequest,
  movements: readonly MoneyMovement[],
  currency?: string,
): PlannedEntry[] {
  return movements.map((movement) =>
    entryOf({
      type: 'UNMATCHED',
      movement,
      merchantId: merchant.id,
      paymentRequestId: null,
      ...(currency !== undefined && { currency }),
    }),
  );
}

/** Makes the case and the entries of money that came beside the payment. */
function besidePayment(
  current: PaymentRequest,
  money: ArrivedMoney,
  fresh: readonly MoneyMovement[],
): WeighedCase {
  return caseOf(current, 'SECOND_PAYMENT', partOf(money, fresh), second(current, fresh));
}

function second({ id, merchant }: PaymentRequest, movements: readonly MoneyMovement[]) {
  return movements.map((movement) =>
    entryOf({
      type: 'SECOND_PAYMENT',
      movement,
      merchantId: merchant.id,
      paymentRequestId: id,
    }),
  );
}
