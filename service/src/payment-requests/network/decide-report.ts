import type { NetworkOutcome, NetworkReport, Verdict } from '#e-transfer/e-transfer-network.ts';
import { canStillBePaid } from '#payment-requests/model/can-still-be-paid.ts';
import {
  type Cause,
  type PaymentRequest,
  paymentRequestAt,
} from '#payment-requests/model/payment-request.ts';
import {
  amountMismatch,
  type NewOperatorCase,
  type Plan,
  planChange,
} from '#payment-requests/model/plan-change.ts';
import { isInProgress, isReachedBy } from '#payment-requests/model/statuses.ts';

/** Facts of the database that decide about reports, read under locks. */
export interface ReportFacts {
  /** ISO 4217: the deployment's one currency. */
  readonly currency: string;
  /** The payment request that each network reference has paid. */
  readonly owners: ReadonlyMap<string, string>;
  readonly suspendedMerchants: ReadonlySet<string>;
  /** Payment requests with an open case about money. */
  readonly moneyCases: ReadonlySet<string>;
}

export interface Decision {
  /** TAKEN when the payment request stands as reported, now or before. */
  readonly verdict: Verdict;
  readonly plan: Plan;
}

/** Outcomes that change sums and no status. */
type MoneyOnly = Extract<NetworkOutcome, { state: 'PART_RECEIVED' | 'RETURNED' }>;
type Succeeded = Extract<NetworkOutcome, { state: 'SUCCEEDED' }>;

/**
 * Decides about a report of the network (contract §5), which may come once, twice, late or in the
 * wrong order. Writes nothing. Money that cannot be the payment asked for becomes a case for an
 * operator: another amount or currency, a second payment, or a reference that has paid another
 * payment request.
 */
export function decideReport(
  locked: PaymentRequest,
  { outcome, isRevocable }: NetworkReport,
  facts: ReportFacts,
  now: Date,
): Decision {
  const current = paymentRequestAt(locked, now);
  const operatorCase = outcome.state === 'SUCCEEDED' ? moneyCase(current, outcome, facts) : null;
  const unchanged: Plan = {
    outcome: operatorCase ? 'HELD_FOR_OPERATOR' : 'REFUSED',
    paymentRequest: locked,
    changes: [],
    operatorCase,
  };
  if (standsAsReported(current, outcome)) {
    return { verdict: operatorCase ? 'NOT_TAKEN' : 'TAKEN', plan: unchanged };
  }
  if (outcome.state === 'PART_RECEIVED' || outcome.state === 'RETURNED') {
    return { verdict: 'NOT_TAKEN', plan: unchanged };
  }
  const isSuspended = facts.suspendedMerchants.has(current.merchant.id);
  if (isRevocable && !canStillBePaid(current.status, isSuspended ? 'SUSPENDED' : 'ACTIVE')) {
    // An expiry that has passed and is not written yet is written on this occasion.
    return { verdict: 'NOT_TAKEN', plan: planChange(locked, { name: 'EXPIRY_PASSED' }, now) };
  }
  if (operatorCase) return { verdict: 'NOT_TAKEN', plan: unchanged };
  const isRefusal = outcome.state === 'REFUSED' && isInProgress(current.status);
  // Contract §5: a request for which money has arrived does not fail before a person has decided.
  if (isRefusal && facts.moneyCases.has(current.id)) {
    return { verdict: 'NOT_TAKEN', plan: unchanged };
  }
  const plan = planChange(locked, causeOf(outcome), now);
  return { verdict: plan.outcome === 'CHANGED' ? 'TAKEN' : 'NOT_TAKEN', plan };
}

/** Money for a payment request that does not exist is a case for an operator. */
export function unknownRequestCase(paymentRequestId: string, money: Succeeded): NewOperatorCase {
  return {
    kind: 'UNKNOWN_PAYMENT_REQUEST',
    paymentRequestId: null,
    details: { paymentRequestId, ...arrivedMoney(money) },
  };
}

/** The case of money that cannot be the payment asked for; null for money that can. */
function moneyCase(
  current: PaymentRequest,
  money: Succeeded,
  { currency, owners }: ReportFacts,
): NewOperatorCase | null {
  const { id, amountCents, payment } = current;
  const caseOf = (kind: NewOperatorCase['kind']): NewOperatorCase => ({
    kind,
    paymentRequestId: id,
    details: { askedCents: amountCents, ...arrivedMoney(money) },
  });
  if (money.currency !== currency) return caseOf('CURRENCY_MISMATCH');
  if (money.amountCents !== amountCents) return amountMismatch(current, money);
  const { networkReference } = money;
  if (payment?.networkReference === networkReference) return null;
  if ((owners.get(networkReference) ?? id) !== id) return caseOf('REFERENCE_REUSED');
  return payment ? caseOf('SECOND_PAYMENT') : null;
}

/** Cases are equal when their details are, so the order of a report changes nothing here. */
function arrivedMoney({ amountCents, currency, networkReference, institution }: Succeeded) {
  return { arrivedCents: amountCents, networkReference, currency, institution };
}

/** Whether a report repeats an earlier one, or comes after one that says more. */
function standsAsReported({ status, payment }: PaymentRequest, outcome: NetworkOutcome): boolean {
  switch (outcome.state) {
    case 'ACCEPTED':
      return payment !== null || isReachedBy('PAYMENT_ACCEPTED', status);
    case 'SUCCEEDED':
      return payment?.networkReference === outcome.networkReference;
    case 'REFUSED':
      return isReachedBy('PAYMENT_REFUSED', status);
    case 'PART_RECEIVED':
    case 'RETURNED':
      return false;
  }
}

function causeOf(outcome: Exclude<NetworkOutcome, MoneyOnly>): Cause {
  switch (outcome.state) {
    case 'ACCEPTED':
      return { name: 'PAYMENT_ACCEPTED' };
    case 'REFUSED':
      return { name: 'PAYMENT_REFUSED', reasonCode: outcome.reason };
    case 'SUCCEEDED': {
      const { amountCents, institution, networkReference, completedAt } = outcome;
      return {
        name: 'PAYMENT_SUCCEEDED',
        amountCents,
        institution,
        networkReference,
        completedAt,
      };
    }
  }
}
