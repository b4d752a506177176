import type { RefundRefusal } from '#e-transfer/network-refunds.ts';
import { STATUS_REASONS } from '#payment-requests/model/statuses.ts';
import type { WebhookEventType } from '#webhooks/model/event-types.ts';

/** The statuses of a refund (contract §11). */
export const REFUND_STATUSES = ['CREATED', 'PROCESSING', 'COMPLETED', 'FAILED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Why a merchant gives money back. */
export const REFUND_REASONS = [
  'REQUESTED_BY_CUSTOMER',
  'DUPLICATE',
  'FRAUDULENT',
  'OTHER',
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** The causes of a refund's transition. */
export const REFUND_CAUSES = [
  'CREATED',
  'HANDED_OVER',
  'EXECUTED',
  'REFUSED',
  'PAYMENT_RETURNED',
  'MONEY_CAME_BACK',
] as const;
export type RefundCauseName = (typeof REFUND_CAUSES)[number];

/** Reasons of a FAILED refund that no payment has. */
const OWN_REASONS = {
  PAYER_ACCOUNT_UNKNOWN: 'The account that paid is not known, so no money can go back to it.',
  PAYMENT_RETURNED: 'The payment was taken back, so there is no money left to refund.',
  REFUND_RETURNED: 'The money of the refund came back.',
} as const;

/** Why a refund failed, with the sentence that merchants read. */
export const REFUND_STATUS_REASONS = {
  AUTHENTICATION_FAILED: STATUS_REASONS.AUTHENTICATION_FAILED,
  INSTITUTION_UNAVAILABLE: STATUS_REASONS.INSTITUTION_UNAVAILABLE,
  PAYER_DECLINED: 'The payer declined the refund.',
  ACCOUNT_RESTRICTED: 'The payer’s account cannot be used for this refund.',
  INSUFFICIENT_FUNDS: 'The account that pays the refund does not hold enough money.',
  SUSPECTED_FRAUD: 'The institution stopped the refund as suspected fraud.',
  AMOUNT_LIMIT_EXCEEDED: 'The amount is above a limit of the institution.',
  NETWORK_REJECTED: 'The e-transfer network rejected the refund.',
  NETWORK_TIMEOUT: 'The e-transfer network did not settle the refund in time.',
  ...OWN_REASONS,
} as const satisfies Readonly<Record<RefundRefusal | keyof typeof OWN_REASONS, string>>;
export type RefundReasonCode = keyof typeof REFUND_STATUS_REASONS;

/** The webhook events of a refund. */
export type RefundEventType = Extract<WebhookEventType, `REFUND-${string}`>;

/** A status and the effects of reaching it, all written in one transaction. */
export interface RefundTransition {
  readonly from: RefundStatus | null;
  readonly cause: RefundCauseName;
  readonly to: RefundStatus;
  /** The stored reason: none, the one that the cause brings, or this code. */
  readonly reason: null | 'SET' | RefundReasonCode;
  /** The webhook event to the merchant. */
  readonly webhook: RefundEventType | null;
  /** The ledger entries; both for a movement out that no report has named. */
  readonly ledger: readonly ('REFUND' | 'REFUND_RETURN')[];
}

const FAILED = { to: 'FAILED', webhook: 'REFUND-FAILED' } as const;
const COMPLETED = {
  to: 'COMPLETED',
  reason: null,
  webhook: 'REFUND-COMPLETED',
  ledger: ['REFUND'],
} as const;

/**
 * Every transition of a refund (contract §11) with its effects. The writer of the status and the
 * tests follow it. The sums of the payment request follow `sumOf`.
 */
export const REFUND_TRANSITIONS = [
  { from: null, cause: 'CREATED', to: 'CREATED', reason: null, webhook: null, ledger: [] },
  {
    from: 'CREATED',
    cause: 'HANDED_OVER',
    to: 'PROCESSING',
    reason: null,
    webhook: null,
    ledger: [],
  },
  { from: 'CREATED', cause: 'EXECUTED', ...COMPLETED },
  { from: 'PROCESSING', cause: 'EXECUTED', ...COMPLETED },
  { from: 'CREATED', cause: 'REFUSED', ...FAILED, reason: 'SET', ledger: [] },
  { from: 'PROCESSING', cause: 'REFUSED', ...FAILED, reason: 'SET', ledger: [] },
  {
    from: 'CREATED',
    cause: 'PAYMENT_RETURNED',
    ...FAILED,
    reason: 'PAYMENT_RETURNED',
    ledger: [],
  },
  {
    from: 'PROCESSING',
    cause: 'MONEY_CAME_BACK',
    ...FAILED,
    reason: 'REFUND_RETURNED',
    ledger: ['REFUND', 'REFUND_RETURN'],
  },
  {
    from: 'COMPLETED',
    cause: 'MONEY_CAME_BACK',
    ...FAILED,
    reason: 'REFUND_RETURNED',
    ledger: ['REFUND_RETURN'],
  },
] as const satisfies readonly RefundTransition[];

/** The row of the table for a cause met in a status; `undefined` means a refusal. */
export function findRefundTransition(
  from: RefundStatus,
  cause: RefundCauseName,
): RefundTransition | undefined {
  return REFUND_TRANSITIONS.find((row) => row.from === from && row.cause === cause);
}

/** The sum of the payment request that counts a refund of this status; null: none. */
export function sumOf(status: RefundStatus): 'refunding' | 'refunded' | null {
  if (status === 'COMPLETED') return 'refunded';
  return status === 'FAILED' ? null : 'refunding';
}

/** Whether a refund of this status leaves its money where it was. */
export function takesNoMoney(status: RefundStatus): boolean {
  return sumOf(status) === null;
}

/** A list of statuses of refunds for a statement: `'CREATED', 'PROCESSING'`. */
export function sqlListOfRefunds(includes: (status: RefundStatus) => boolean): string {
  return REFUND_STATUSES.filter(includes)
    .map((status) => `'${status}'`)
    .join(', ');
}

/** Whether the outcome of a refund is not known yet. */
export function isRefundOpen(status: RefundStatus): boolean {
  return sumOf(status) === 'refunding';
}
