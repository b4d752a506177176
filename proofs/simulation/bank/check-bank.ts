import { isIncoming } from '../memory/ledger-rows.ts';
import { CURRENCY } from '../payments/payment-world.ts';
import { must, mustEqual } from '../run/broken-invariant.ts';
import type { TrueMoney } from './bank-truth.ts';
import { type BankWorld, SHOWN_IBAN } from './bank-world.ts';

const RECEIVED = new Set(['PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT']);

/** No payment request has more money than the bank has booked for it (bank-transfer §3). */
export function checkBank({ bank, payments, truth }: BankWorld): void {
  const names = bank.movements.all().map(({ networkReference }) => networkReference);
  mustEqual(new Set(names).size, names.length, () => 'network references of movements');
  for (const { paymentRequestId: id, reference } of bank.shown.all()) {
    const booked = truth.money.filter(
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
  checkLedger(payments.ledger.rows.where(isIncoming), truth.money);
}

const sumOf = (some: readonly TrueMoney[]): number =>
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
  const { bank, payments, truth } = world;
  mustEqual(bank.entries.where(({ outcome }) => outcome === null).length, 0, () => 'entries left');
  const unreported = bank.movements.where(({ isReported }) => !isReported);
  mustEqual(unreported.length, 0, () => 'movements that were never reported');
  const ours = truth.money.filter(
    ({ direction, references }) => direction === 'CREDIT' && references.length > 0,
  );
  const rows = payments.ledger.rows.where(isIncoming);
  const counts = countBy(rows, ({ amount_cents, currency }) => `${amount_cents} ${currency}`);
  const truths = countBy(ours, ({ amountCents, currency }) => `${amountCents} ${currency}`);
  for (const [of, booked] of truths) {
    mustEqual(counts.get(of) ?? 0, booked, () => `movements of ${of} in the ledger`);
  }
  for (const { paymentRequestId: id, reference, amountCents } of bank.shown.all()) {
    const named = truth.money.filter(({ references }) => references.includes(reference));
    checkOutcome(world, id, named, amountCents);
  }
}

/** Plain money decides the end of a payment request; cases are left out here. */
function checkOutcome(
  { payments, bank }: BankWorld,
  id: string,
  named: readonly TrueMoney[],
  askedCents: number,
): void {
  const isPlain = named.every(
    ({ currency, account, references }) =>
      currency === CURRENCY && account === SHOWN_IBAN && references.length === 1,
  );
  const hasAssigned = payments.ledger.rows.where(({ type }) => type === 'ASSIGNED').length > 0;
  const hasRefunds = payments.refunds.rows.all().length > 0;
  if (!isPlain || payments.accepted.has(id) || hasAssigned || hasRefunds) return;
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
