import type { Meter } from '@opentelemetry/api';

export interface NetworkCallMeasured {
  /** create, cancel, ask-state, start-refund or ask-refund-state. */
  readonly call: string;
  /** answered or failed. */
  readonly outcome: string;
  readonly durationMs: number;
}

/** Matters that only a person can settle. */
export const OPERATOR_CASES = [
  'AMOUNT_MISMATCH',
  'CURRENCY_MISMATCH',
  /** Money under the network reference of another payment request. */
  'REFERENCE_REUSED',
  /** Money for a payment request that is already paid. */
  'SECOND_PAYMENT',
  /** Money for a payment request that does not exist. */
  'UNKNOWN_PAYMENT_REQUEST',
  /** A payment is in progress for too long. */
  'PROCESSING_OVERDUE',
  /** Money of a paid payment request was taken back. */
  'MONEY_RETURNED',
  /** Parts of the amount have arrived for a payment request that is over. */
  'PART_PAYMENT',
  /** Money with the reference of a payment request that shows another account. */
  'WRONG_ACCOUNT',
  /** Money with two references of payment requests. */
  'AMBIGUOUS_REFERENCE',
  /** Money above the amount that is matched without a person. */
  'AMOUNT_ABOVE_LIMIT',
  /** Money that fits no payment request. */
  'UNMATCHED_MONEY',
  /** The merchant's bank gave money back without this service. */
  'REFUNDED_OUTSIDE',
  /** An earlier message told of the money, and no statement of its day lists it. */
  'NOT_ON_STATEMENT',
  /** Money was taken back that a refund has given back already. */
  'REFUNDED_AND_RETURNED',
  /** A refund of a payment from several accounts: an operator chooses the movement. */
  'REFUND_ACCOUNT_UNCLEAR',
  /** A bank booked a refund with an amount that nothing explains. */
  'REFUND_AMOUNT',
  /** A refund is in progress for too long. */
  'REFUND_OVERDUE',
] as const;
export type OperatorCaseKind = (typeof OPERATOR_CASES)[number];

/** The measurements of the e-transfer network. Labels come from closed lists of the code. */
export type NetworkMetrics = ReturnType<typeof measureNetwork>;

/** Calls over the internet: 10 ms to the deadline of 4 s. */
const CALL_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export function measureNetwork(meter: Meter) {
  const calls = meter.createHistogram('e_transfer_call_duration_seconds', {
    description: 'How long calls to the e-transfer network took, by call and outcome.',
    advice: { explicitBucketBoundaries: CALL_BUCKETS_SECONDS },
  });
  const reports = meter.createCounter('e_transfer_reports_total', {
    description: 'Reports of the e-transfer network, by state and verdict.',
  });
  const cases = meter.createCounter('operator_cases_opened_total', {
    description: 'Cases that wait for a person, by kind.',
  });
  // Start at 0, so that Prometheus sees the first case as an increase.
  for (const kind of OPERATOR_CASES) cases.add(0, { kind });
  return {
    networkCall: ({ call, outcome, durationMs }: NetworkCallMeasured) =>
      calls.record(durationMs / 1e3, { call, outcome }),
    /** A report of the network, or its answer to a question, and the service's verdict. */
    networkReport: ({ state, verdict }: { readonly state: string; readonly verdict: string }) =>
      reports.add(1, { state, verdict }),
    operatorCaseOpened: (kind: OperatorCaseKind) => cases.add(1, { kind }),
  };
}
