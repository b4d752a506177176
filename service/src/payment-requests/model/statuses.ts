import { Problem, type ProblemCode } from '#lib/problem.ts';
import type { WebhookEventType } from '#webhooks/model/event-types.ts';

/** The statuses of a payment request (contract §5). */
export const STATUSES = [
  'CREATED',
  'PROCESSING',
  'PAID',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
] as const;
export type Status = (typeof STATUSES)[number];

/** The work that reconciliation does at the network for a payment request of a status. */
export type NetworkTask =
  /** Update the payment at the network, then poll its state. */
  | 'UPDATE'
  /** Poll the state of the payment. */
  | 'POLL'
  /** Cancel the payment. */
  | 'CANCEL'
  | 'NONE';

interface StatusFacts {
  /** The outcome is known. Money may still arrive, late. */
  readonly isOver: boolean;
  /** The payment asked for has arrived: money can be given back. */
  readonly hasPayment: boolean;
  /** The problem of a call that needs an open payment request; null: this status is open. */
  readonly refusal: ProblemCode | null;
  readonly network: NetworkTask;
}

/** The facts of each status. A migration holds the network's part too (trigger of 0009). */
export const STATUS_FACTS = {
  CREATED: { isOver: false, hasPayment: false, refusal: null, network: 'UPDATE' },
  PROCESSING: { isOver: false, hasPayment: false, refusal: 'PAYMENT_IN_PROGRESS', network: 'POLL' },
  PAID: { isOver: true, hasPayment: true, refusal: 'ALREADY_PAID', network: 'NONE' },
  FAILED: { isOver: true, hasPayment: false, refusal: 'ALREADY_FAILED', network: 'CANCEL' },
  EXPIRED: { isOver: true, hasPayment: false, refusal: 'ALREADY_EXPIRED', network: 'CANCEL' },
  CANCELLED: { isOver: true, hasPayment: false, refusal: 'ALREADY_CANCELLED', network: 'CANCEL' },
} as const satisfies Readonly<Record<Status, StatusFacts>>;

type StatusWith<Facts> = {
  [S in Status]: (typeof STATUS_FACTS)[S] extends Facts ? S : never;
}[Status];

/** The payer may still begin to pay, and the merchant may still change the request. */
export type OpenStatus = StatusWith<{ readonly refusal: null }>;
export type ClosedStatus = Exclude<Status, OpenStatus>;
/** The outcome is not known yet. */
export type UnfinishedStatus = StatusWith<{ readonly isOver: false }>;

/** The causes of a transition. */
export const CAUSES = [
  'CREATED',
  'PAYMENT_ACCEPTED',
  'PAYMENT_SUCCEEDED',
  'PAYMENT_REFUSED',
  'EXPIRY_PASSED',
  'CANCELLED_BY_MERCHANT',
] as const;
export type CauseName = (typeof CAUSES)[number];

/** Why a payment request did not end as paid (contract §5), with the sentence merchants read. */
export const STATUS_REASONS = {
  PAYER_DECLINED: 'The payer declined the payment request.',
  AUTHENTICATION_FAILED: 'The payer could not be authenticated by the institution.',
  INSUFFICIENT_FUNDS: 'The payer’s account does not hold enough money.',
  ACCOUNT_RESTRICTED: 'The payer’s account cannot be used for this payment.',
  AMOUNT_LIMIT_EXCEEDED: 'The amount is above a limit of the payer or the institution.',
  SUSPECTED_FRAUD: 'The institution stopped the payment as suspected fraud.',
  INSTITUTION_UNAVAILABLE: 'The institution could not be reached.',
  NETWORK_REJECTED: 'The e-transfer network rejected the payment.',
  NETWORK_TIMEOUT: 'The e-transfer network did not settle the payment in time.',
  LINK_EXPIRED: 'The payment request expired before it was paid.',
  CANCELLED_BY_MERCHANT: 'The merchant cancelled the payment request.',
} as const;
export type StatusReasonCode = keyof typeof STATUS_REASONS;

/** A status and the effects of reaching it, all written in one transaction. */
export interface Transition {
  readonly from: Status | null;
  readonly cause: CauseName;
  readonly to: Status;
  /** The stored payment: as before, or the one that the cause brings. A payment is never lost. */
  readonly payment: 'KEPT' | 'SET';
  /** The stored reason: as before, the one that the cause brings, none, or this code. */
  readonly reason: 'KEPT' | 'SET' | 'CLEARED' | StatusReasonCode;
  /** The webhook event to the merchant. */
  readonly webhook: WebhookEventType | null;
  /** Money arrived after the request was over. */
  readonly paidLate?: true;
}

const PAID = { to: 'PAID', payment: 'SET', webhook: 'PAYMENT-COMPLETED' } as const;
const ENDED_UNPAID = { payment: 'KEPT', webhook: 'PAYMENT-FAILED' } as const;

/**
 * Every transition (contract §5) with its effects. This table is the only source. The writer of a
 * status, the database's check, the diagram in the docs and the tests follow it.
 */
export const TRANSITIONS = [
  { from: null, cause: 'CREATED', to: 'CREATED', payment: 'KEPT', reason: 'KEPT', webhook: null },
  {
    from: 'CREATED',
    cause: 'PAYMENT_ACCEPTED',
    to: 'PROCESSING',
    payment: 'KEPT',
    reason: 'KEPT',
    webhook: null,
  },
  { from: 'CREATED', cause: 'PAYMENT_SUCCEEDED', ...PAID, reason: 'KEPT' },
  { from: 'PROCESSING', cause: 'PAYMENT_SUCCEEDED', ...PAID, reason: 'KEPT' },
  { from: 'CREATED', cause: 'PAYMENT_REFUSED', to: 'FAILED', ...ENDED_UNPAID, reason: 'SET' },
  { from: 'PROCESSING', cause: 'PAYMENT_REFUSED', to: 'FAILED', ...ENDED_UNPAID, reason: 'SET' },
  {
    from: 'CREATED',
    cause: 'EXPIRY_PASSED',
    to: 'EXPIRED',
    ...ENDED_UNPAID,
    reason: 'LINK_EXPIRED',
  },
  {
    from: 'CREATED',
    cause: 'CANCELLED_BY_MERCHANT',
    to: 'CANCELLED',
    ...ENDED_UNPAID,
    reason: 'CANCELLED_BY_MERCHANT',
  },
  { from: 'FAILED', cause: 'PAYMENT_SUCCEEDED', ...PAID, reason: 'CLEARED', paidLate: true },
  { from: 'EXPIRED', cause: 'PAYMENT_SUCCEEDED', ...PAID, reason: 'CLEARED', paidLate: true },
  { from: 'CANCELLED', cause: 'PAYMENT_SUCCEEDED', ...PAID, reason: 'CLEARED', paidLate: true },
] as const satisfies readonly Transition[];

type OwnReasonCode = Extract<(typeof TRANSITIONS)[number]['reason'], StatusReasonCode>;

/** Reasons that a refusal by payer, institution or network can carry; the rest belong to us. */
export type RefusalReasonCode = Exclude<StatusReasonCode, OwnReasonCode>;

/** The row of the table for a cause met in a status; `undefined` means a refusal. */
export function findTransition(from: Status, cause: CauseName): Transition | undefined {
  return TRANSITIONS.find((row) => row.from === from && row.cause === cause);
}

/** Whether a payment request reaches this status by this cause. */
export function isReachedBy(cause: CauseName, status: Status): boolean {
  return TRANSITIONS.some((row) => row.cause === cause && row.to === status);
}

/** Whether the payer can still begin to pay. */
export function isOpen(status: Status): status is OpenStatus {
  return STATUS_FACTS[status].refusal === null;
}

/** Whether the outcome is not known yet. */
export function isUnfinished(status: Status): boolean {
  return !STATUS_FACTS[status].isOver;
}

/** Whether the payment asked for has arrived, also where something happened after it. */
export function hasPayment(status: Status): boolean {
  return STATUS_FACTS[status].hasPayment;
}

/** The problem of a call that needs an open payment request and finds another (contract §4). */
export function refusalOfStatus(status: ClosedStatus): Problem {
  return new Problem(STATUS_FACTS[status].refusal);
}

/** Whether the payer has confirmed, and the network has yet to report the outcome. */
export function isInProgress(status: Status): boolean {
  return STATUS_FACTS[status].network === 'POLL';
}

/** Whether a payment request of this status ends when its expiry passes. */
export function canExpire(status: Status): boolean {
  return findTransition(status, 'EXPIRY_PASSED') !== undefined;
}

/** A list of statuses for a statement: `'CREATED', 'PROCESSING'`. */
export function sqlListOf(includes: (status: Status) => boolean): string {
  return STATUSES.filter(includes)
    .map((status) => `'${status}'`)
    .join(', ');
}

/** The statuses that a cause leads to, for a statement about the moment of a change. */
export function sqlListReachedBy(cause: CauseName): string {
  return sqlListOf((status) => isReachedBy(cause, status));
}
