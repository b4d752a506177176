import { correctedReferencesOf } from '#cases/model/operator-case.ts';
import type { MovementRow } from '../memory/bank-rows.ts';
import { isIncoming } from '../memory/ledger-rows.ts';
import { CURRENCY } from '../payments/payment-world.ts';
import { must, mustEqual } from '../run/broken-invariant.ts';
import type { TrueMoney } from './bank-truth.ts';
import { type BankWorld, SHOWN_IBAN } from './bank-world.ts';

const RECEIVED = new Set(['PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT']);
const SUMMED: ReadonlySet<string> = new Set(['EXACT', 'PART', 'EXCESS']);

/** No payment request has more money than the bank has booked for it (bank-transfer §3). */
export function checkBank({ bank, payments, truth }: BankWorld): void {
  const names = bank.movements.all().map(({ networkReference }) => networkReference);
  mustEqual(new Set(names).size, names.length, () => 'network references of movements');
  for (const { paymentRequestId: id, reference } of bank.shown.all()) {
    const booked = [...truth.money, ...truth.misstated].filter(
      ({ references, account, currency }) =>
        references.join() === reference && account === SHOWN_IBAN && currency === CURRENCY,
    );
    const inCents = sumOf(booked.filter(({ direction }) => direction === 'CREDIT'));
    const received = payments.ledger.rows
      .where((row) => row.payment_request_id === id && RECEIVED.has(row.type))
      .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
    const name = payments.nameOf(id);
    must(received <= inCents, () => `${name} received ${received}, and the bank booked ${inCents}`);
  }
  const isCounted = ({ outcome }: MovementRow) => SUMMED.has(outcome);
  const guessed = bank.movements.where((each) => each.details.length > 0 && isCounted(each));
  mustEqual(guessed.length, 0, () => 'movements whose details do not add up count');
  checkLedger(payments.ledger.rows.where(isIncoming), [...truth.money, ...truth.misstated]);
}

const sumOf = (some: readonly Pick<TrueMoney, 'amountCents'>[]): number =>
  some.reduce((sum, { amountCents }) => sum + amountCents, 0);

/** The ledger never has more money of an amount and currency than has arrived. */
function checkLedger(
  rows: readonly { readonly amount_cents: number; readonly currency: string }[],
  money: readonly TrueMoney[],
): void {
  const credits = money.filter(({ direction }) => direction === 'CREDIT');
  const counts = countBy(rows, ({ amount_cents, currency }) => `${amount_cents} ${currency}`);
  const truths = countBy(credits, ({ amountCents, currency }) => `${amountCents} ${currency}`);
  for (const [of, count] of counts) {
    const booked = truths.get(of) ?? 0;
    must(count <= booked, () => `the ledger has ${count} movements of ${of}, the bank ${booked}`);
  }
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

/** When every statement was taken, all money with a reference of ours is in the ledger, once. */
export function checkAllArrived(world: BankWorld): void {
  const { bank, truth } = world;
  mustEqual(bank.entries.where(({ outcome }) => outcome === null).length, 0, () => 'entries left');
  const unreported = bank.movements.where(({ isReported }) => !isReported);
  mustEqual(unreported.length, 0, () => 'movements that were never reported');
  if (truth.misstated.length === 0) checkBooks(world);
  for (const { paymentRequestId: id, reference, amountCents } of bank.shown.all()) {
    const named = truth.money.filter(({ references }) => references.includes(reference));
    checkOutcome(world, id, named, amountCents);
  }
}

/**
 * The ledger has the money that the bank has, once, when an operator has settled all cases. An
 * operator who gave money of a wrong notice away before the statement came cannot replace it.
 */
export function checkBooks({ payments, truth }: BankWorld): void {
  const ours = truth.money.filter(
    ({ direction, references }) => direction === 'CREDIT' && references.length > 0,
  );
  const fees = payments.ledger.rows.where(({ type }) => type === 'FEE');
  const feeCents = ours.reduce((sum, each) => sum + each.feeCents, 0);
  mustEqual(
    sumOf(fees.map(({ amount_cents: amountCents }) => ({ amountCents }))),
    -feeCents,
    () => 'charges',
  );
  const isTooLate = payments.cases.rows.where(
    (each) => correctedReferencesOf(each).length > 0 && each.settlement !== 'REPLACED',
  );
  if (isTooLate.length > 0) return;
  const { rows } = payments.ledger;
  const nameOf = (cents: number, currency: string) => `${cents} ${currency}`;
  const counts = countBy(rows.where(isIncoming), (row) => nameOf(row.amount_cents, row.currency));
  const corrected = countBy(
    rows.where(({ type }) => type === 'ADJUSTMENT'),
    (row) => nameOf(-row.amount_cents, row.currency),
  );
  const truths = countBy(ours, ({ amountCents, currency }) => nameOf(amountCents, currency));
  for (const of of new Set([...counts.keys(), ...truths.keys()])) {
    const left = (counts.get(of) ?? 0) - (corrected.get(of) ?? 0);
    mustEqual(left, truths.get(of) ?? 0, () => `movements of ${of} in the ledger`);
  }
}

/** Plain money decides the end of a payment request; cases are left out here. */
function checkOutcome(
  { payments, bank, truth }: BankWorld,
  id: string,
  named: readonly TrueMoney[],
  askedCents: number,
): void {
  const isPlain = named.every(
    ({ currency, account, references, isUnclear }) =>
      currency === CURRENCY && account === SHOWN_IBAN && references.length === 1 && !isUnclear,
  );
  // Too much that was assigned waits, and has no entry ASSIGNED.
  const hasAssigned =
    payments.cases.rows.where(({ settlement }) => settlement === 'ASSIGNED').length > 0 ||
    payments.ledger.rows.where(({ type }) => type === 'ASSIGNED').length > 0;
  const isMisstated = truth.misstated.some(({ number }) =>
    named.some((each) => each.number === number),
  );
  const hasRefunds = payments.refunds.rows.all().length > 0;
  if (!isPlain || isMisstated || payments.accepted.has(id) || hasAssigned || hasRefunds) return;
  const row = payments.requests.rows.get(id);
  const debits = named.filter(({ direction }) => direction === 'DEBIT');
  const sum = sumOf(named.filter(({ direction }) => direction === 'CREDIT'));
  const name = () => payments.nameOf(id);
  if (sum < askedCents) {
    must(row?.status !== 'PAID', () => `${name()} is PAID with ${sum} of ${askedCents}`);
    mustEqual(row?.received_cents ?? 0, sum, () => `${name()} received`);
  }
  if (sum > askedCents) return;
  mustEqual(row?.returned_cents, sumOf(debits), () => `${name()} returned`);
  const shown = Math.max(0, sum - sumOf(debits));
  mustEqual(bank.shown.get(id)?.receivedCents, shown, () => `the page of ${name()} received`);
  if (sum < askedCents || debits.length > 0) return;
  mustEqual(row?.status, 'PAID', () => `${name()} has its whole amount`);
}
