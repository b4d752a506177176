/** A booked payment whose EndToEndId has the shape of a refund's id without dashes. */
export interface RefundEntry {
  /** The entry's own id: an answer names it. */
  readonly entryId: string;
  /** The EndToEndId as an identifier with dashes. */
  readonly refundId: string;
  /** DEBIT: the bank executed the refund. CREDIT: the money came back. */
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amountCents: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Our account: an IBAN in electronic form. */
  readonly account: string;
  /** Unique in the network for ever, and equal in every message that carries the entry. */
  readonly networkReference: string;
  readonly bankReference: string | null;
  readonly bookingDate: string | null;
  readonly bookedAt: Date;
  /** A reversal, or an entry with a return code: a DEBIT is then no execution. */
  readonly isReturn: boolean;
  readonly returnReason: string | null;
}

/**
 * Reports the entries that belong to refunds of this network: an executed one is COMPLETED, and one
 * whose money came back is RETURNED. An entry comes once for each message that carries it, so every
 * call may be repeated. Throws when a report could not be written; the entries then come again.
 *
 * @returns the `entryId` of each entry that is a refund's; the others are matched as payments
 */
export type MatchRefundEntries = (entries: readonly RefundEntry[]) => Promise<ReadonlySet<string>>;
