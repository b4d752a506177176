import type { MoneyMovement } from './network-money.ts';
import type { RefusalReason } from './refusal-reason.ts';

/** The calls by which money goes back. Every call may be repeated. */
export interface NetworkRefunds {
  /** Hands a refund over. The refund's id is the idempotent reference. */
  start(refund: NetworkRefund, signal: AbortSignal): Promise<RefundStart>;
  askState(refundId: string, signal: AbortSignal): Promise<RefundState>;
}

export interface NetworkRefund {
  readonly refundId: string;
  readonly paymentRequestId: string;
  readonly amountCents: number;
  readonly currency: string;
  /** For the payer's bank statement. */
  readonly message: string | null;
  /** The network reference of the one movement to give back; null: those of the payment. */
  readonly movementReference: string | null;
}

/** The reason codes of a FAILED refund that a network gives (contract §11). */
export type RefundRefusal = RefusalReason | 'PAYER_ACCOUNT_UNKNOWN';

export type RefundStart =
  /** The network works on it. */
  | { readonly state: 'PROCESSING' }
  /** The network has it, and reports PROCESSING when it begins: the refund stays CREATED. */
  | { readonly state: 'QUEUED' }
  | { readonly state: 'FAILED'; readonly reason: RefundRefusal }
  /** The payment came from several accounts: an operator chooses the movement. */
  | { readonly state: 'ACCOUNT_UNCLEAR'; readonly movements: readonly MoneyMovement[] };

export type RefundOutcome =
  | { readonly state: 'PROCESSING' }
  | {
      readonly state: 'COMPLETED';
      readonly movement: MoneyMovement;
      readonly completedAt: Date;
      readonly feeCents?: RefundFee;
    }
  | { readonly state: 'FAILED'; readonly reason: RefundRefusal }
  /** The money came back: the amount is available again. */
  | {
      readonly state: 'RETURNED';
      readonly movement: MoneyMovement;
      readonly feeCents?: RefundFee;
    };

/** The charges that a bank booked with the refund; below zero: it gave so much more. Absent: 0. */
export type RefundFee = number;

/** A booking that names refunds, and whose amount neither they nor stated charges explain. */
export interface UnclearRefundBooking {
  readonly refundIds: readonly string[];
  /** DEBIT: the bank executed the refunds. CREDIT: their money came back. */
  readonly direction: 'CREDIT' | 'DEBIT';
  /** The refunds have failed, and the ledger has the difference as charges. */
  readonly isBooked: boolean;
  /** With the amount that the bank booked. */
  readonly movement: MoneyMovement;
  readonly currency: string;
}

/** UNKNOWN: the network has never heard of it, or has forgotten it. */
export type RefundState = RefundOutcome | { readonly state: 'QUEUED' | 'UNKNOWN' };

export interface RefundReport {
  readonly refundId: string;
  readonly outcome: RefundOutcome;
}
