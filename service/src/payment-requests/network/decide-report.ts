import type { NetworkOutcome, NetworkReport } from '#e-transfer/e-transfer-network.ts';
import type { MoneyMovement } from '#e-transfer/network-money.ts';
import { canStillBePaid } from '#payment-requests/model/can-still-be-paid.ts';
import type { Cause } from '#payment-requests/model/cause.ts';
import {
  bareMovement,
  entryOf,
  paymentEntries,
  sumOf,
} from '#payment-requests/model/money/movements.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import {
  type NewOperatorCase,
  type Plan,
  paymentRequestAt,
  planChange,
  planPassedExpiry,
  planSums,
  unchanged,
} from '#payment-requests/model/plan-change.ts';
import { isInProgress, isReachedBy } from '#payment-requests/model/statuses.ts';
import {
  type ArrivedMoney,
  classifyAmount,
  mismatch,
  type Weighed,
} from './money/classify-amount.ts';
import { type Decision, decideReturn } from './money/decide-return.ts';
import type { MovementIndex } from './money/movement-index.ts';

/** Facts of the database that decide about reports, read under locks. */
export interface ReportFacts {
  /** ISO 4217: the deployment's one currency. */
  readonly currency: string;
  /** The movements under the network references of the reports. */
  readonly money: MovementIndex;
  readonly suspendedMerchants: ReadonlySet<string>;
  /** Payment requests with an open case about money. */
  readonly moneyCases: ReadonlySet<string>;
}

type Succeeded = Extract<NetworkOutcome, { state: 'SUCCEEDED' }>;
type Arrived = Extract<NetworkOutcome, { state: 'SUCCEEDED' | 'PART_RECEIVED' }>;

/**
 * Decides about a report of the network (contract §5), which may come once, twice, late or in the
 * wrong order. Writes nothing. Money that cannot be the payment asked for becomes a case for an
 * operator.
 */
export function decideReport(
  locked: PaymentRequest,
  report: NetworkReport,
  facts: ReportFacts,
  now: Date,
): Decision {
  const { outcome } = report;
  switch (outcome.state) {
    case 'SUCCEEDED':
    case 'PART_RECEIVED':
      return decideMoney(locked, { ...report, outcome }, facts, now);
    case 'RETURNED':
      return decideReturn(planPassedExpiry(locked, now), outcome, facts);
    case 'ACCEPTED':
    case 'REFUSED':
      return decideProgress(locked, { ...report, outcome }, facts, now);
  }
}

/** The movements of an outcome; a movement that a report lists twice is the same money. */
export function movementsOf(outcome: Arrived) {
  if (outcome.state === 'PART_RECEIVED') return [outcome.movement];
  const { networkReference, amountCents, movements = [] } = outcome;
  if (movements.length === 0) return [bareMovement(networkReference, amountCents)];
  const keyOf = (each: MoneyMovement) => `${each.amountCents} ${each.networkReference}`;
  return [...new Map(movements.map((each) => [keyOf(each), each])).values()];
}

/** Money for a payment request that does not exist is a case for an operator. */
export function unknownRequestCase(paymentRequestId: string, money: Succeeded): NewOperatorCase {
  const { amountCents, currency, networkReference, institution } = money;
  return {
    kind: 'UNKNOWN_PAYMENT_REQUEST',
    paymentRequestId: null,
    merchantId: null,
    details: {
      paymentRequestId,
      arrivedCents: amountCents,
      networkReference,
      currency,
      institution,
    },
  };
}

interface ReportOf<Outcome> {
  readonly outcome: Outcome;
  readonly isRevocable: boolean;
}

function decideMoney(
  locked: PaymentRequest,
  { outcome, isRevocable }: ReportOf<Arrived>,
  facts: ReportFacts,
  now: Date,
): Decision {
  const current = paymentRequestAt(locked, now);
  const money = arrivedMoney(outcome);
  const weighed = weighSum(current, outcome, money, facts);
  if (weighed.kind === 'COUNTED') return { verdict: 'TAKEN', plan: unchanged(locked) };
  const isKnown = money.movements.every(({ networkReference }) =>
    facts.money.incoming.has(networkReference),
  );
  if (isRevocable && !isKnown && !isOnTime(current, facts)) {
    // An expiry that has passed and is not written yet is written on this occasion.
    return { verdict: 'NOT_TAKEN', plan: planPassedExpiry(locked, now) };
  }
  if (weighed.kind === 'HELD' || weighed.kind === 'CASE') {
    return { verdict: 'NOT_TAKEN', plan: held(locked, weighed, isRevocable) };
  }
  const isExact = weighed.sumCents === current.amountCents;
  const payment = isExact ? paymentOf(outcome) : null;
  if (payment === null) {
    return { verdict: 'TAKEN', plan: planPart(planPassedExpiry(locked, now), weighed.fresh) };
  }
  const plan = planChange(locked, succeeded(payment, current, weighed), now);
  return { verdict: plan.outcome === 'CHANGED' ? 'TAKEN' : 'NOT_TAKEN', plan };
}

/**
 * SUCCEEDED states that the sum is the amount; a part may leave it open. A network does not know of
 * money that an operator gave back: without that money its sum is a part of the amount.
 */
function weighSum(
  current: PaymentRequest,
  outcome: Arrived,
  money: ArrivedMoney,
  facts: ReportFacts,
): Weighed {
  const weighed = classifyAmount(current, money, facts.money, facts.currency);
  if (weighed.kind !== 'FITS') return weighed;
  const { fresh, sumCents } = weighed;
  if (outcome.state === 'PART_RECEIVED') return fresh.length === 0 ? { kind: 'COUNTED' } : weighed;
  if (sumCents === current.amountCents) return weighed;
  const isLessByRefunds = sumOf(money.movements) >= current.amountCents && heldCents(current) >= 0;
  if (isLessByRefunds) return fresh.length === 0 ? { kind: 'COUNTED' } : weighed;
  const waiting = fresh.length > 0 ? fresh : money.movements;
  return mismatch(current, money, { waiting, fresh, sumCents });
}

type PaymentFacts = Pick<Succeeded, 'institution' | 'networkReference' | 'completedAt'>;

/** The payment that the money makes when the sum is exact; null: the network completes it later. */
function paymentOf(outcome: Arrived): PaymentFacts | null {
  if (outcome.state === 'SUCCEEDED') return outcome;
  const { payment, movement } = outcome;
  return payment ? { ...payment, networkReference: movement.networkReference } : null;
}

/** Money that the network takes back, as it can, is no movement. */
function held(
  locked: PaymentRequest,
  weighed: Extract<Weighed, { kind: 'HELD' | 'CASE' }>,
  isRevocable: boolean,
): Plan {
  const plan: Plan = { ...unchanged(locked), outcome: 'HELD_FOR_OPERATOR' };
  if (weighed.kind === 'HELD') return plan;
  const entries = isRevocable ? [] : weighed.entries;
  return { ...plan, operatorCases: weighed.operatorCases, entries };
}

function planPart(plan: Plan, fresh: Extract<Weighed, { kind: 'FITS' }>['fresh']): Plan {
  const before = plan.paymentRequest;
  const { id: paymentRequestId, merchant, sums } = before;
  const entries = fresh.map((movement) =>
    entryOf({ type: 'PART_PAYMENT', movement, merchantId: merchant.id, paymentRequestId }),
  );
  const amountCents = fresh.reduce((sum, movement) => sum + movement.amountCents, 0);
  const received = before.sums.receivedCents + amountCents;
  return planSums(plan, {
    after: { ...before, sums: { ...sums, receivedCents: received } },
    webhook: null,
    entries,
    note: { type: 'PART_RECEIVED', details: { amountCents, receivedCents: received } },
  });
}

function decideProgress(
  locked: PaymentRequest,
  { outcome, isRevocable }: ReportOf<Extract<NetworkOutcome, { state: 'ACCEPTED' | 'REFUSED' }>>,
  facts: ReportFacts,
  now: Date,
): Decision {
  const current = paymentRequestAt(locked, now);
  if (standsAsReported(current, outcome.state)) {
    return { verdict: 'TAKEN', plan: unchanged(locked) };
  }
  if (isRevocable && !isOnTime(current, facts)) {
    return { verdict: 'NOT_TAKEN', plan: planPassedExpiry(locked, now) };
  }
  const isRefusal = outcome.state === 'REFUSED' && isInProgress(current.status);
  // Contract §5: a request for which money has arrived does not fail before a person has decided.
  if (isRefusal && facts.moneyCases.has(current.id)) {
    return { verdict: 'NOT_TAKEN', plan: unchanged(locked) };
  }
  const cause: Cause =
    outcome.state === 'ACCEPTED'
      ? { name: 'PAYMENT_ACCEPTED' }
      : { name: 'PAYMENT_REFUSED', reasonCode: outcome.reason };
  const plan = planChange(locked, cause, now);
  return { verdict: plan.outcome === 'CHANGED' ? 'TAKEN' : 'NOT_TAKEN', plan };
}

function isOnTime({ status, merchant }: PaymentRequest, { suspendedMerchants }: ReportFacts) {
  const isSuspended = suspendedMerchants.has(merchant.id);
  return canStillBePaid(status, isSuspended ? 'SUSPENDED' : 'ACTIVE');
}

/** Whether a report repeats an earlier one, or comes after one that says more. */
function standsAsReported(
  { status, payment }: PaymentRequest,
  state: 'ACCEPTED' | 'REFUSED',
): boolean {
  if (state === 'REFUSED') return isReachedBy('PAYMENT_REFUSED', status);
  return payment !== null || isReachedBy('PAYMENT_ACCEPTED', status);
}

function arrivedMoney(outcome: Arrived): ArrivedMoney {
  const movements = movementsOf(outcome);
  const { currency } = outcome;
  return outcome.state === 'PART_RECEIVED'
    ? {
        movements,
        currency,
        networkReference: outcome.movement.networkReference,
        institution: outcome.payment?.institution ?? null,
      }
    : {
        movements,
        currency,
        networkReference: outcome.networkReference,
        institution: outcome.institution,
      };
}

function succeeded(
  { institution, networkReference, completedAt }: PaymentFacts,
  current: PaymentRequest,
  { fresh, sumCents }: Extract<Weighed, { kind: 'FITS' }>,
): Cause {
  return {
    name: 'PAYMENT_SUCCEEDED',
    amountCents: sumCents,
    institution,
    networkReference,
    completedAt,
    entries: paymentEntries(current, fresh),
  };
}
