import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';

/** The ways in which an operator settles a case, with the words of the command line. */
export const SETTLEMENTS = {
  ACCEPTED: 'accept',
  ASSIGNED: 'assign',
  REFUNDED: 'refund',
  REPLACED: 'replace',
  SPLIT: 'split',
  CLOSED: 'close',
} as const;
export type Settlement = keyof typeof SETTLEMENTS;

/** Which cases a list shows. */
export const CASE_STATES = ['open', 'settled', 'all'] as const;
export type CaseState = (typeof CASE_STATES)[number];

export interface CaseKind {
  /** For the operator, one sentence. */
  readonly meaning: string;
  /** `payreq cases close` is always allowed. */
  readonly allows: readonly Exclude<Settlement, 'CLOSED'>[];
  /** The acts of an operator where the service can move no money itself. */
  readonly advice: string;
}

const AT_THE_BANK = 'Settle it at the bank or network and with the merchant, then close the case.';

/** Every kind of case: its meaning, and the settlements that it allows. */
export const CASE_KINDS: Readonly<Record<OperatorCaseKind, CaseKind>> = {
  AMOUNT_MISMATCH: {
    meaning: 'Another amount has arrived than the payment request asks for.',
    allows: ['ACCEPTED', 'REFUNDED', 'SPLIT'],
    advice: 'Accept the amount if the merchant agrees, else give it back.',
  },
  CURRENCY_MISMATCH: {
    meaning: 'Money in another currency than the deployment’s has arrived.',
    allows: [],
    advice: AT_THE_BANK,
  },
  REFERENCE_REUSED: {
    meaning: 'Money was reported under the network reference of another payment request.',
    allows: [],
    advice: AT_THE_BANK,
  },
  SECOND_PAYMENT: {
    meaning: 'Money has arrived for a payment request that was PAID already.',
    allows: ['ASSIGNED', 'REFUNDED', 'SPLIT'],
    advice: 'Give it back, or assign it to the payment request that the payer meant.',
  },
  UNKNOWN_PAYMENT_REQUEST: {
    meaning: 'Money was reported for a payment request that does not exist.',
    allows: ['ASSIGNED', 'SPLIT'],
    advice: 'Assign it to the payment request that the payer meant, or give it back at the bank.',
  },
  PROCESSING_OVERDUE: {
    meaning: 'A payment is in progress for longer than the network takes.',
    allows: [],
    advice: 'Ask the network for the payment’s outcome; the service takes its report. Then close.',
  },
  MONEY_RETURNED: {
    meaning: 'Money of a paid payment request was taken back.',
    allows: [],
    advice: 'Make sure that the merchant knows: goods may have left. Then close the case.',
  },
  PART_PAYMENT: {
    meaning: 'Parts of the amount have arrived for a payment request that is over.',
    allows: ['ACCEPTED', 'REFUNDED'],
    advice: 'Wait for the rest, accept the parts as the payment, or give the parts back.',
  },
  WRONG_ACCOUNT: {
    meaning: 'Money names a payment request that shows another account.',
    allows: ['ACCEPTED', 'ASSIGNED', 'REFUNDED', 'SPLIT'],
    advice: 'Accept it if the account is the merchant’s own, else assign it or give it back.',
  },
  AMBIGUOUS_REFERENCE: {
    meaning: 'Money names several payment requests, contradicts itself or an earlier booking.',
    allows: ['ASSIGNED', 'REPLACED', 'SPLIT'],
    advice: 'Ask the payer or the bank, then assign it, split it, or replace the earlier booking.',
  },
  AMOUNT_ABOVE_LIMIT: {
    meaning: 'The money is above BANK_MAX_AUTOMATIC, up to which money needs no person.',
    allows: ['ACCEPTED', 'REFUNDED', 'SPLIT'],
    advice: 'Compare it with the bank’s own records, then accept it or give it back.',
  },
  UNMATCHED_MONEY: {
    meaning: 'Money with a reference of this service fits no payment request.',
    allows: ['ASSIGNED', 'SPLIT'],
    advice: 'Assign it to the payment request that the payer meant, or give it back at the bank.',
  },
  REFUNDED_OUTSIDE: {
    meaning: 'The merchant’s bank gave money back without this service.',
    allows: ['ACCEPTED', 'ASSIGNED', 'SPLIT'],
    advice: 'Accept it as a refund, assign it to the payment request refunded, or split it.',
  },
  NOT_ON_STATEMENT: {
    meaning: 'A message told of money, and no statement of its day lists it.',
    allows: [],
    advice: 'Import the statement that lists it, and the money counts. Else close the case.',
  },
  REFUNDED_AND_RETURNED: {
    meaning: 'Money was taken back that a refund has given back already.',
    allows: [],
    advice: 'The merchant has paid twice: claim the refund back from the payer, then close.',
  },
  REFUND_ACCOUNT_UNCLEAR: {
    meaning: 'A refund belongs to payments from several accounts.',
    allows: ['REFUNDED'],
    advice: 'Choose the payment to give back: payreq cases refund CASE --movement REFERENCE.',
  },
  REFUND_AMOUNT: {
    meaning: 'The bank booked a refund, or its way back, with an amount that nothing explains.',
    allows: ['ACCEPTED'],
    advice: 'Ask the bank, and accept the difference as its charges or its correction.',
  },
  REFUND_OVERDUE: {
    meaning: 'A refund is in progress for longer than a bank takes.',
    allows: [],
    advice: 'Ask the bank for the refund’s outcome, then close the case.',
  },
};

/** Money that corrects a booking has words of its own within its kind. */
export type ShownKind = OperatorCaseKind | 'CORRECTED_BOOKING';
export const SHOWN_KINDS = [
  ...(Object.keys(CASE_KINDS) as ShownKind[]),
  'CORRECTED_BOOKING',
] as const;

/** Whether a case of the kind can be settled in this way. */
export function allowsSettlement(kind: OperatorCaseKind, settlement: Settlement): boolean {
  return settlement === 'CLOSED' || CASE_KINDS[kind].allows.includes(settlement);
}
