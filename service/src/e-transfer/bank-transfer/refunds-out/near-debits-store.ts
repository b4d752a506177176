import { allRows } from '#database/statements.ts';
import type { NearDebit } from '../../network-statements.ts';

/** A person reads no more of them. */
const MOST = 5;
/** Charges of a transfer abroad reach some 30.00, and a share of a high amount. */
const NEAR_CENTS = 3_000;
const NEAR_SHARE = 0.02;

/**
 * Debits of nearly the refund's amount since its payment file, which matched nothing.
 *
 * Reads the entries of 30 days, by the index of those that matched nothing.
 */
export const findNearDebits = allRows<NearDebit, [refundId: string]>(
  'bank-refund-find-near-debits',
  `SELECT DISTINCT ON (e.fingerprint) e.amount_cents AS "amountCents", e.currency,
     e.booking_date AS "bookingDate",
     coalesce(e.bank_reference, e.entry_reference) AS "bankReference"
   FROM bank_refunds b
   JOIN creditor_accounts received ON received.id = b.account_id
   LEFT JOIN bank_payment_files f ON f.message_id = b.message_id
   LEFT JOIN creditor_accounts paying ON paying.id = f.account_id
   JOIN bank_entries e ON e.account IN (received.key, paying.key) AND e.currency = b.currency
     AND e.outcome IN ('ORDINARY', 'BATCH_SUM') AND e.direction = 'DEBIT'
     AND e.matched_at >= coalesce(f.created_at, b.created_at)
     AND abs(e.amount_cents - b.amount_cents) <= ${NEAR_CENTS} + ${NEAR_SHARE} * b.amount_cents
   WHERE b.refund_id = $1
   ORDER BY e.fingerprint LIMIT ${MOST}`,
);
