/** A booked entry that names refunds: by their EndToEndIds, or by the MsgId of a payment file. */
export interface RefundEntry {
  /** The entry's own id: an answer names it. */
  readonly entryId: string;
  /** The EndToEndIds as identifiers with dashes. */
  readonly refundIds: readonly string[];
  /** Payment files of ours that the entry names; they count where it names no refund. */
  readonly messageIds: readonly string[];
  /** DEBIT: the bank executed the refund. CREDIT: the money came back. */
  readonly direction: 'CREDIT' | 'DEBIT';
  /** Before the charges that the bank states as the difference. */
  readonly amountCents: number;
  /** Charges that a debit holds beside the amount, or that a credit is less by. */
  readonly feeCents: number;
  /** Other amounts that the bank states: TxAmt, InstdAmt, and the amount before its charges. */
  readonly statedCents: readonly number[];
  /** ISO 4217. */
  readonly currency: string;
  /** Our account: an IBAN in electronic form. */
  readonly account: string;
  readonly bankReference: string | null;
  readonly bookingDate: string | null;
  readonly bookedAt: Date;
  /** A reversal, or an entry with a return code: a DEBIT is then no execution. */
  readonly isReturn: boolean;
  /** Whether it names a payment request, too. */
  readonly isOfRequest: boolean;
}

/** The amount that stands on the statement. */
export const bookedCentsOf = (
  entry: Pick<RefundEntry, 'direction' | 'amountCents' | 'feeCents'>,
): number => entry.amountCents + (entry.direction === 'DEBIT' ? entry.feeCents : -entry.feeCents);

/**
 * Reports the entries that belong to refunds of this network: an executed one is COMPLETED, and one
 * whose money came back is RETURNED. An entry comes once for each message that carries it, so every
 * call may be repeated. Throws when a report could not be written; the entries then come again.
 *
 * @returns the `entryId` of each entry that is a refund's; the others are matched as payments
 */
export type MatchRefundEntries = (entries: readonly RefundEntry[]) => Promise<ReadonlySet<string>>;
