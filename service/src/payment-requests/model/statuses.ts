import type { WebhookEventType } from '#webhooks/model/message.ts';

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

/** What can move a payment request. */
export const CAUSES = [
  'CREATED',
  'PAYMENT_ACCEPTED',
  'PAYMENT_SUCCEEDED',
  'PAYMENT_REFUSED',
  'EXPIRY_PASSED',
  'CANCELLED_BY_MERCHANT',
] as const;
export type CauseName = (typeof CAUSES)[number];

export interface Transition {
  readonly from: Status | null;
  readonly cause: CauseName;
  readonly to: Status;
  /** The webhook event that this move owes the merchant, written in the same transaction. */
  readonly webhook: WebhookEventType | null;
  /** Money that arrived after the request was already over. */
  readonly paidLate?: true;
}

/**
 * Every move there is (contract §5). The one source: the door, the database's check, the picture
 * in the docs and the tests are made from it; what is not here is refused.
 */
export const TRANSITIONS = [
  { from: null, cause: 'CREATED', to: 'CREATED', webhook: null },
  { from: 'CREATED', cause: 'PAYMENT_ACCEPTED', to: 'PROCESSING', webhook: null },
  { from: 'CREATED', cause: 'PAYMENT_SUCCEEDED', to: 'PAID', webhook: 'PAYMENT-COMPLETED' },
  { from: 'PROCESSING', cause: 'PAYMENT_SUCCEEDED', to: 'PAID', webhook: 'PAYMENT-COMPLETED' },
  { from: 'CREATED', cause: 'PAYMENT_REFUSED', to: 'FAILED', webhook: 'PAYMENT-FAILED' },
  { from: 'PROCESSING', cause: 'PAYMENT_REFUSED', to: 'FAILED', webhook: 'PAYMENT-FAILED' },
  { from: 'CREATED', cause: 'EXPIRY_PASSED', to: 'EXPIRED', webhook: 'PAYMENT-FAILED' },
  { from: 'CREATED', cause: 'CANCELLED_BY_MERCHANT', to: 'CANCELLED', webhook: 'PAYMENT-FAILED' },
  {
    from: 'FAILED',
    cause: 'PAYMENT_SUCCEEDED',
    to: 'PAID',
    webhook: 'PAYMENT-COMPLETED',
    paidLate: true,
  },
  {
    from: 'EXPIRED',
    cause: 'PAYMENT_SUCCEEDED',
    to: 'PAID',
    webhook: 'PAYMENT-COMPLETED',
    paidLate: true,
  },
  {
    from: 'CANCELLED',
    cause: 'PAYMENT_SUCCEEDED',
    to: 'PAID',
    webhook: 'PAYMENT-COMPLETED',
    paidLate: true,
  },
] as const satisfies readonly Transition[];

/** The row of the table for a cause met in a status; `undefined` means the move is refused. */
export function findTransition(from: Status, cause: CauseName): Transition | undefined {
  return TRANSITIONS.find((row) => row.from === from && row.cause === cause);
}

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

/** Reasons that a refusal by payer, institution or network can carry; the rest belong to us. */
export type RefusalReasonCode = Exclude<StatusReasonCode, 'LINK_EXPIRED' | 'CANCELLED_BY_MERCHANT'>;
