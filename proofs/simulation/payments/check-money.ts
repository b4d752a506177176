import { referencesOf } from '#cases/model/operator-case.ts';
import { holdsMoney } from '#payment-requests/status/money-case-store.ts';
import { isIncoming, type LedgerRow } from '../memory/ledger-rows.ts';
import type { PaymentRequestRow } from '../memory/payment-request-rows.ts';
import { must, mustEqual } from '../run/broken-invariant.ts';
import { movementsOf } from './network-truth.ts';
import { CURRENCY, type PaymentWorld } from './payment-world.ts';

/** The ledger, the sums and the truth of the network are one (contract §11). */
export function checkMoney(world: PaymentWorld): void {
  checkMoneyOfRequests(world);
  checkMovements(world);
  checkAnswers(world);
}

/** The part that needs no truth of a network. */
export function checkMoneyOfRequests(world: PaymentWorld): void {
  for (const row of world.requests.rows.all()) {
    checkSums(world, row);
    checkCover(world, row);
    checkParts(world, row);
  }
  checkCases(world);
}

const RECEIVED = new Set(['PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT', 'ASSIGNED', 'ADJUSTMENT']);

function checkSums({ ledger, refunds }: PaymentWorld, row: PaymentRequestRow): void {
  const own = ledger.rows.where((entry) => entry.payment_request_id === row.id);
  const sum = (isWanted: (entry: LedgerRow) => boolean) =>
    own.filter(isWanted).reduce((cents, { amount_cents }) => cents + amount_cents, 0);
  const name = (what: string) => () => `${row.id}: ${what}`;
  const received = sum(({ type }) => RECEIVED.has(type));
  mustEqual(row.received_cents, received, name('received'));
  mustEqual(row.returned_cents, 0 - sum(({ type }) => type === 'RETURN'), name('returned'));
  const ofPayment = refunds.of(row.id).filter(({ isOfPayment }) => isOfPayment);
  const given = (statuses: readonly string[]) =>
    ofPayment
      .filter(({ status }) => statuses.includes(status))
      .reduce((cents, { amountCents }) => cents + amountCents, 0);
  mustEqual(row.refunded_cents, given(['COMPLETED']), name('refunded'));
  mustEqual(row.refunding_cents, given(['CREATED', 'PROCESSING']), name('refunding'));
  const foreign = own.filter(
    ({ currency, type }) => currency !== CURRENCY && type !== 'RETURN' && type !== 'FEE',
  );
  mustEqual(foreign.length, 0, name('entries in another currency'));
}

const OVER = new Set(['FAILED', 'EXPIRED', 'CANCELLED']);

/** Parts for a payment request that is over are a case, open or settled (contract §11). */
function checkParts({ cases }: PaymentWorld, row: PaymentRequestRow): void {
  const { received_cents, returned_cents, refunded_cents, refunding_cents } = row;
  const held = received_cents - returned_cents - refunded_cents - refunding_cents;
  if (!OVER.has(row.status) || held <= 0) return;
  const own = cases.rows.where(
    ({ kind, paymentRequestId: id, closedAt, settlement }) =>
      kind === 'PART_PAYMENT' && id === row.id && (closedAt === null || settlement !== null),
  );
  must(own.length > 0, () => `no case has the parts of ${row.id}, which is ${row.status}`);
}

/** More given back than was received is a case for an operator, never silence. */
function checkCover(world: PaymentWorld, row: PaymentRequestRow): void {
  const isNamed = (kind: string) =>
    world.cases.rows.where((each) => each.kind === kind && each.paymentRequestId === row.id)
      .length > 0;
  const name = () => world.nameOf(row.id);
  const held = row.received_cents - row.returned_cents;
  if (held < 0) must(isNamed('MONEY_RETURNED'), () => `${name()}: returned more than received`);
  if (row.refunded_cents + row.refunding_cents <= Math.max(0, held)) return;
  // An operator who records a refund that the bank made outside has seen the sums.
  const recorded = ['ACCEPTED', 'ASSIGNED', 'SPLIT'];
  const isRecorded = world.cases.rows.where(
    ({ kind, settlement }) => kind === 'REFUNDED_OUTSIDE' && recorded.includes(settlement ?? ''),
  );
  if (isRecorded.length > 0) return;
  must(isNamed('REFUNDED_AND_RETURNED'), () => `${name()}: gives back more than is held`);
}

/** Every movement stands in the ledger once, with an amount that the network has named. */
function checkMovements({ ledger, truth }: PaymentWorld): void {
  const incoming = ledger.rows.where(isIncoming);
  const names = new Set<string>();
  for (const { network_reference: name, amount_cents: cents } of incoming) {
    must(name !== null && !names.has(name), () => `${name} stands in the ledger twice`);
    names.add(name);
    const money = truth.money.get(name);
    must(money?.amounts.has(cents) === true, () => `${name}: ${cents} were never reported`);
    // A payment that was answered NOT_TAKEN has gone back, and must not count.
    const isAsked = truth.waiting().some(({ report }) => tellsOf(report, name));
    must(money.hasArrived || isAsked, () => `${name} was taken back and stands in the ledger`);
  }
  const assigned = ledger.rows.where(({ type }) => type === 'ASSIGNED');
  const sum = assigned.reduce((cents, { amount_cents }) => cents + amount_cents, 0);
  mustEqual(sum, 0, () => 'the sum of all assignments');
}

function tellsOf(report: Parameters<typeof movementsOf>[0], name: string): boolean {
  return movementsOf(report).some(({ networkReference }) => networkReference === name);
}

/** Money that was answered is in the ledger. */
function checkAnswers({ ledger, truth, cases }: PaymentWorld): void {
  const incoming = new Set(ledger.rows.where(isIncoming).map((row) => row.network_reference));
  const returns = new Set(
    ledger.rows.where(({ type }) => type === 'RETURN').map((row) => row.network_reference),
  );
  for (const { report, verdict } of truth.reports) {
    const { outcome, isRevocable } = report;
    if (verdict === null || (isRevocable && verdict === 'NOT_TAKEN')) continue;
    for (const { networkReference: name } of movementsOf(report)) {
      must(incoming.has(name), () => `${name} was answered ${verdict} and is not in the ledger`);
    }
    if (outcome.state !== 'RETURNED') continue;
    const { networkReference: name } = outcome.movement;
    // A return of a split transfer waits for a person, who says which parts went back.
    const isOfSplit = cases.rows
      .where(({ kind }) => kind === 'REFUNDED_OUTSIDE')
      .some((each) => referencesOf(each).includes(name));
    must(returns.has(name) || isOfSplit, () => `the return ${name} is not in the ledger`);
  }
}

/** Money that counts for no payment request is named by a case, by an open one while it waits. */
function checkCases({ ledger, cases, refunds }: PaymentWorld): void {
  const all = cases.rows.all();
  const named = new Set(all.flatMap(referencesOf));
  const left = (row: LedgerRow) => row.type === 'ASSIGNED' && row.amount_cents < 0;
  const gone = new Set(
    ledger.rows
      .where((row) => left(row) || row.type === 'ADJUSTMENT')
      .map((row) => row.network_reference),
  );
  const leftOf = new Set<string>();
  const held = new Set<string>();
  for (const row of ledger.rows.all()) {
    const { type, network_reference: name, payment_request_id: id, amount_cents: cents } = row;
    const isWaitingPart = type === 'ASSIGNED' && cents > 0 && id === null;
    const isBeside = type === 'UNMATCHED' || type === 'SECOND_PAYMENT' || isWaitingPart;
    const isReturnOfNothing = type === 'RETURN' && id === null;
    if (!isBeside && !isReturnOfNothing) continue;
    if (isBeside && name !== null && !gone.has(name)) held.add(name);
    must(
      name !== null && (named.has(name) || gone.has(name)),
      () => `no case names the money ${name}, which is ${type}`,
    );
    if (!isBeside || name === null || gone.has(name)) continue;
    const { takenBackCents, cases: naming } = cases.factsOf(name);
    const left = cents - takenBackCents - refunds.givenBackOf(name);
    if (left > 0) leftOf.add(name);
    // A person has settled it at the bank; only the end of a run closes such cases.
    if (naming.some(({ settlement }) => settlement === 'CLOSED')) continue;
    const isOpen = naming.some((each) => each.isOpen);
    must(left <= 0 || isOpen, () => `no open case names the money ${name}, ${left} are left`);
  }
  checkOpenCases(cases, leftOf, held);
}

/** An open case about held money has something that an act can settle. */
function checkOpenCases(
  cases: PaymentWorld['cases'],
  leftOf: ReadonlySet<string>,
  held: ReadonlySet<string>,
): void {
  for (const found of cases.open()) {
    const names = referencesOf(found);
    if (!holdsMoney(found.kind) || !names.every((name) => held.has(name))) continue;
    must(
      names.some((name) => leftOf.has(name)),
      () => `the case ${found.kind} of ${names.join(', ')} is open, and nothing is left`,
    );
  }
}
