import type { StoredParty } from '../party-box.ts';
import type { MoneyIdentity } from './movement.ts';

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
  /** Names the money without any text of it. */
  readonly fingerprint: Buffer;
}
