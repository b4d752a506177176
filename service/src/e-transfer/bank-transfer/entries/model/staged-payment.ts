import type { StoredParty } from '../party-box.ts';
import type { EntryDetail, MoneyIdentity } from './movement.ts';

/** A payment of a statement's entry, as it is staged. */
export interface StagedPayment extends MoneyIdentity {
  /** The entry's place in the statement, and the payment's place in the entry; from 0. */
  readonly entryNumber: number;
  readonly paymentNumber: number;
  /**
   * Payments find their money in this order: by their own reference (0), by the entry's (4), by the
   * batch's (8), by their content (12). Payments that name no payment request add 2. Payments with
   * neither a reference (their own or the entry's) nor an EndToEndId add 1.
   */
  readonly rank: number;
  /** Charges that the bank took from money that came in, or added to money that left. */
  readonly feeCents: number;
  /** Other amounts that the bank states of this payment. */
  readonly statedCents: readonly number[];
  /** The details of an entry that do not add up; empty: the amount is this payment's own. */
  readonly details: readonly EntryDetail[];
  /** MsgIds of payment files of ours that the whole entry executes. */
  readonly messageIds: readonly string[];
  readonly isBooked: boolean;
  readonly isReversal: boolean;
  readonly isReturn: boolean;
  readonly returnReason: string | null;
  /** The sum of a batch whose payments a camt.054 lists one by one. */
  readonly isBatchSum: boolean;
  readonly bookedAt: Date | null;
  /** EndToEndIds that have the shape of a refund's id, with dashes. */
  readonly refundIds: readonly string[];
  /** The bank of the other side. */
  readonly institution: string | null;
  readonly party: StoredParty;
  /** The text of the payer; null: nothing, or money that left. */
  readonly text: string | null;
  /** Names the money without any text of it. */
  readonly fingerprint: Buffer;
}
