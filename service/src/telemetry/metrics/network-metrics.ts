import type { Meter } from '@opentelemetry/api';

export interface NetworkCallMeasured {
  /** create, cancel or ask-state. */
  readonly call: string;
  /** answered or failed. */
  readonly outcome: string;
  readonly durationMs: number;
}

/** What only a person can settle. */
export const OPERATOR_CASES = [
  'AMOUNT_MISMATCH',
  'CURRENCY_MISMATCH',
  /** Money under a network reference that another payment request has. */
  'REFERENCE_REUSED',
  /** Money for a payment request that is paid already. */
  'SECOND_PAYMENT',
  /** Money for a payment request that does not exist. */
  'UNKNOWN_PAYMENT_REQUEST',
  /** A payment is in progress for longer than any should be. */
  'PROCESSING_OVERDUE',
] as const;
export type OperatorCaseKind = (typeof OPERATOR_CASES)[number];

/** What is measured of the e-transfer network. Labels are of closed lists of the code. */
export interface NetworkMetrics {
  networkCall(call: NetworkCallMeasured): void;
  /** A report of the network, or what it said when it was asked, and what became of it. */
  networkReport(report: { readonly state: string; readonly verdict: string }): void;
  operatorCaseOpened(kind: OperatorCaseKind): void;
}

/** Calls over the internet: 10 ms to the deadline of 4 s. */
const CALL_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export function measureNetwork(meter: Meter): NetworkMetrics {
  const calls = meter.createHistogram('e_transfer_call_duration_seconds', {
    description: 'How long calls to the e-transfer network took, by call and outcome.',
    advice: { explicitBucketBoundaries: CALL_BUCKETS_SECONDS },
  });
  const reports = meter.createCounter('e_transfer_reports_total', {
    description: 'What the e-transfer network reported, by state and what became of it.',
  });
  const cases = meter.createCounter('operator_cases_opened_total', {
    description: 'Cases that wait for a person, by kind.',
  });
  // From 0 on, so that the first one is an increase, of which an alert hears.
  for (const kind of OPERATOR_CASES) cases.add(0, { kind });
  return {
    networkCall: ({ call, outcome, durationMs }) =>
      calls.record(durationMs / 1e3, { call, outcome }),
    networkReport: ({ state, verdict }) => reports.add(1, { state, verdict }),
    operatorCaseOpened: (kind) => cases.add(1, { kind }),
  };
}
