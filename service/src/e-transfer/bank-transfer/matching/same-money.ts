import type { MoneyIdentity } from '../entries/model/movement.ts';

/** The movements that payments of the same place have taken already. */
export interface Claims {
  /** Those of the statement; null: the message may list a payment twice (camt.052, camt.054). */
  readonly statement: ReadonlySet<string> | null;
  /** Those of the entry: two payments of a batch are never the same. */
  readonly entry: ReadonlySet<string>;
}

type Known = MoneyIdentity & {
  readonly id: string;
  /** A statement of the day has listed it. */
  readonly isInStatement?: boolean;
};

/** Banks announce money up to a weekend with two holidays before they book it. */
const MOST_DAYS_APART = 4;
const DAY_MS = 86_400_000;

/**
 * Finds the money that a payment tells of among the known movements (bank-transfer §3). The bank's
 * own reference comes first, then the reference of the entry or the batch, then the content. Banks
 * restart their references: money of another day is other money, unless a notice told of it
 * before or after the statement of the day.
 */
export function findSameMoney<Movement extends Known>(
  payment: MoneyIdentity,
  known: readonly Movement[],
  claims: Claims,
): Movement | null {
  const isInStatement = claims.statement !== null;
  const likes = known.filter((each) => isSameSum(payment, each) && !isContrary(payment, each));
  const ofDay = likes.filter((each) => isSameDay(payment, each));
  const ofNotice = likes.filter(
    (each) => isInStatement !== (each.isInStatement ?? isInStatement) && isNearDay(payment, each),
  );
  for (const possible of [ofDay, ofNotice]) {
    const free = possible.filter(({ id }) => !claims.entry.has(id));
    const unlisted = free.filter(({ id }) => !claims.statement?.has(id));
    const found =
      possible.find((each) => isShared(payment.bankReference, each.bankReference)) ??
      likest(payment, (each) => isSameInBatch(payment, each), free) ??
      likest(payment, (each) => isSameContent(payment, each), unlisted);
    if (found) return found;
  }
  return null;
}

/** A message without a day may tell of every day. */
function isSameDay({ bookingDate: one }: MoneyIdentity, { bookingDate: other }: MoneyIdentity) {
  return one === null || other === null || one === other;
}

function isNearDay(one: MoneyIdentity, other: MoneyIdentity): boolean {
  if (one.bookingDate === null || other.bookingDate === null) return false;
  const apart = Date.parse(one.bookingDate) - Date.parse(other.bookingDate);
  return Math.abs(apart) <= MOST_DAYS_APART * DAY_MS;
}

/** The days of messages that may tell of money of these days. */
export function nearDaysOf(days: readonly string[]): readonly string[] {
  const near = days.flatMap((day) =>
    Array.from({ length: 2 * MOST_DAYS_APART + 1 }, (_, n) => {
      const instant = Date.parse(day) + (n - MOST_DAYS_APART) * DAY_MS;
      return new Date(instant).toISOString().slice(0, 10);
    }),
  );
  return [...new Set(near)];
}

/**
 * Equal payments may differ in their EndToEndId alone. A payment that took another one's money
 * would leave the other payment without money, and that money would count twice.
 */
function likest<Movement extends Known>(
  { endToEndHash }: MoneyIdentity,
  isSame: (movement: Movement) => boolean,
  free: readonly Movement[],
): Movement | undefined {
  const found = free.filter(isSame);
  return found.find((each) => each.endToEndHash === endToEndHash) ?? found[0];
}

type Detailed = Known & { readonly details: readonly unknown[] };

/**
 * Finds the money that a message may correct: under the same reference of the bank other messages
 * told of another amount or currency. A listed payment may correct the entry whose details did not
 * add up. Payments of one message are different payments.
 */
export function findCorrected<Movement extends Detailed>(
  payment: MoneyIdentity,
  known: readonly Movement[],
  listed: ReadonlySet<string>,
): readonly Movement[] {
  return known.filter(
    (each) =>
      each.account === payment.account &&
      each.direction === payment.direction &&
      (isShared(payment.bankReference, each.bankReference) ||
        (each.details.length > 0 && isListedFrom(payment, each))) &&
      !isSameSum(payment, each) &&
      !isContrary(payment, each) &&
      (isSameDay(payment, each) || (!each.isInStatement && isNearDay(payment, each))) &&
      !listed.has(each.id),
  );
}

/** The payment is of the entry or the batch that another message told of as a whole. */
function isListedFrom(payment: MoneyIdentity, whole: MoneyIdentity): boolean {
  return (
    isShared(payment.entryReference, whole.bankReference) ||
    isShared(payment.batchReference, whole.batchReference)
  );
}

const isShared = <Value>(one: Value | null, other: Value | null): boolean =>
  one !== null && one === other;

function isSameSum(one: MoneyIdentity, other: MoneyIdentity): boolean {
  return (
    one.account === other.account &&
    one.direction === other.direction &&
    one.amountCents === other.amountCents &&
    one.currency === other.currency
  );
}

/** Both name a reference or an EndToEndId, and not the same one. */
function isContrary(one: MoneyIdentity, other: MoneyIdentity): boolean {
  const references = [one.creditorReferences, other.creditorReferences] as const;
  const isOther = references.every(({ length }) => length > 0) && !haveCommon(...references);
  const ids = [one.endToEndHash, other.endToEndHash] as const;
  return isOther || (ids[0] !== null && ids[1] !== null && ids[0] !== ids[1]);
}

const haveCommon = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((each) => others.includes(each));

/** A message may list with own references the payments that another lists inside a batch. */
function isSameInBatch(one: MoneyIdentity, other: MoneyIdentity): boolean {
  if (one.bankReference !== null && other.bankReference !== null) return false;
  if (isShared(one.entryReference, other.entryReference)) return true;
  return (
    isShared(one.batchReference, other.batchReference) &&
    isShared(one.bookingDate, other.bookingDate)
  );
}

/** Two payments with references of the bank are the same by these only. */
function isSameContent(one: MoneyIdentity, other: MoneyIdentity): boolean {
  if (hasBankReference(one) && hasBankReference(other)) return false;
  if (one.bookingDate === null || other.bookingDate === null) return false;
  return (
    haveCommon(one.creditorReferences, other.creditorReferences) ||
    isShared(one.endToEndHash, other.endToEndHash)
  );
}

/** Whether a debit names a credit: by the EndToEndId, or by the bank's reference of a reversal. */
export function isNamedBy(debit: MoneyIdentity, credit: MoneyIdentity): boolean {
  return (
    isShared(debit.endToEndHash, credit.endToEndHash) ||
    isShared(debit.bankReference, credit.bankReference)
  );
}

export function hasBankReference({ bankReference, entryReference }: MoneyIdentity): boolean {
  return bankReference !== null || entryReference !== null;
}
