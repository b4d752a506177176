import type { Database } from '#database/database.ts';
import type { NetworkListener } from '../../e-transfer-network.ts';
import type { RefundReport } from '../../network-refunds.ts';
import type { MatchRefundEntries, RefundEntry } from '../entries/model/refund-entry.ts';
import { findBankRefunds, type StoredBankRefund, setRefundOutcomes } from './refund-store.ts';

export interface MatchRefundDeps {
  readonly db: Database;
  readonly reportRefunds: NetworkListener['reportRefunds'];
}

/**
 * Finds the entries that execute refunds (a debit with the refund's EndToEndId) or bring the money
 * back (a credit with it), and reports them. Account, currency and amount have to be the refund's:
 * anything else is left to the matching of payments.
 */
export function createRefundMatcher({ db, reportRefunds }: MatchRefundDeps): MatchRefundEntries {
  return async (entries) => {
    const wanted = [...new Set(entries.map(({ refundId }) => refundId))];
    if (wanted.length === 0) return new Set();
    const found = await findBankRefunds(db, wanted);
    const known = new Map(found.map((refund) => [refund.refundId, refund]));
    const matched = entries.filter((entry) => fits(entry, known.get(entry.refundId)));
    const reports = matched.map(reportOf);
    if (reports.length > 0) await reportRefunds(reports, (tx) => setRefundOutcomes(tx, reports));
    return new Set(matched.map(({ entryId }) => entryId));
  };
}

/** Only a refund that stands in a payment file can have been executed. */
function fits(entry: RefundEntry, refund: StoredBankRefund | undefined): boolean {
  if (!refund || refund.messageId === null) return false;
  if (entry.direction === 'DEBIT' && entry.isReturn) return false;
  return (
    refund.amountCents === entry.amountCents &&
    refund.currency === entry.currency &&
    refund.ibans.includes(entry.account)
  );
}

function reportOf(entry: RefundEntry): RefundReport {
  const { refundId, direction, bookedAt, networkReference, bankReference } = entry;
  const { amountCents, bookingDate } = entry;
  const movement = { networkReference, amountCents, bankReference, bookingDate };
  return direction === 'DEBIT'
    ? { refundId, outcome: { state: 'COMPLETED', movement, completedAt: bookedAt } }
    : { refundId, outcome: { state: 'RETURNED', movement } };
}
