import { oneRow } from '#database/statements.ts';
import { hasPayment, sqlListOf } from '#payment-requests/model/statuses.ts';
import { isRefundOpen, sqlListOfRefunds, sumOf } from '#refunds/model/statuses.ts';
import type { AuditedBatch } from '../found-store.ts';

const PAID = sqlListOf(hasPayment);
const REFUNDED = sqlListOfRefunds((status) => sumOf(status) === 'refunded');

export interface MoneyBatch extends AuditedBatch {
  /** Payment requests whose sums are not those of their ledger entries. */
  readonly wrongSums: readonly string[];
  /** Payment requests with entries of another currency, or of another merchant. */
  readonly foreignEntries: readonly string[];
  /** PAID without a network reference, or with a reference that none of the entries has. */
  readonly wrongReferences: readonly string[];
  /** Payment requests whose sums of refunds are not those of their refunds. */
  readonly wrongRefundSums: readonly string[];
  /** Refunds whose ledger entries do not fit their status. */
  readonly wrongEntries: readonly string[];
  /** Refunds whose events have a gap, run backwards, or lead to another status. */
  readonly wrongHistories: readonly string[];
  /** Payment requests that gave back more than has arrived. */
  readonly uncovered: readonly string[];
}

/**
 * Audits the money of up to `limit` payment requests after an id.
 *
 * A batch of payment requests in the order of their ids, compared with their ledger entries and
 * refunds (contract §11). The recorded currency changes only while there is no amount, so that one
 * currency holds for all entries of payment requests.
 */
export const auditMoney = oneRow<MoneyBatch, [after: string, limit: number]>(
  'doctor-audit-money',
  `WITH batch AS MATERIALIZED (
     SELECT id, merchant_id, status, payment_network_reference AS reference,
            received_cents, returned_cents, refunded_cents, refunding_cents,
            received_cents - returned_cents AS held_cents
     FROM payment_requests WHERE id > $1 ORDER BY id LIMIT $2
   ), own_entries AS MATERIALIZED (
     SELECT b.id, l.type, l.amount_cents, l.refund_id,
            l.network_reference = b.reference AS has_reference,
            l.merchant_id IS DISTINCT FROM b.merchant_id
              OR l.currency <> (SELECT currency FROM deployment) AS is_foreign
     FROM batch b JOIN ledger_entries l ON l.payment_request_id = b.id
   ), entries AS (
     SELECT id, bool_or(has_reference) AS has_reference,
            sum(amount_cents) FILTER (WHERE type IN
              ('PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT', 'ASSIGNED', 'ADJUSTMENT')) AS received,
            -sum(amount_cents) FILTER (WHERE type = 'RETURN') AS returned
     FROM own_entries GROUP BY 1
   ), booked AS (
     SELECT refund_id AS id,
            coalesce(sum(amount_cents) FILTER (WHERE type = 'REFUND'), 0) AS out_cents,
            coalesce(sum(amount_cents) FILTER (WHERE type = 'REFUND_RETURN'), 0) AS back_cents
     FROM own_entries WHERE refund_id IS NOT NULL GROUP BY 1
   ), own_refunds AS (
     SELECT r.* FROM refunds r JOIN batch b ON b.id = r.payment_request_id
   ), histories AS (
     SELECT e.refund_id AS id, count(*) = max(e.position) AS is_whole,
            (array_agg(e.status ORDER BY e.position DESC))[1] AS status,
            array_agg(e.occurred_at ORDER BY e.position)
              = array_agg(e.occurred_at ORDER BY e.occurred_at) AS is_in_order
     FROM refund_events e JOIN own_refunds r ON r.id = e.refund_id GROUP BY 1
   ), sums AS (
     SELECT payment_request_id AS id,
            sum(amount_cents) FILTER (WHERE status IN (${REFUNDED})) AS refunded,
            sum(amount_cents)
              FILTER (WHERE status IN (${sqlListOfRefunds(isRefundOpen)})) AS refunding
     FROM own_refunds WHERE is_of_payment GROUP BY 1
   )
   SELECT (SELECT count(*) FROM batch) AS examined,
          (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last,
          array(
            SELECT b.id::text FROM batch b LEFT JOIN entries e ON e.id = b.id
            WHERE coalesce(e.received, 0) <> b.received_cents
               OR coalesce(e.returned, 0) <> b.returned_cents) AS "wrongSums",
          array(SELECT DISTINCT id::text FROM own_entries WHERE is_foreign) AS "foreignEntries",
          array(
            SELECT b.id::text FROM batch b LEFT JOIN entries e ON e.id = b.id
            WHERE b.status IN (${PAID}) AND (coalesce(b.reference, '') = ''
               OR e.has_reference IS NOT TRUE)) AS "wrongReferences",
          array(
            SELECT b.id::text FROM batch b LEFT JOIN sums s ON s.id = b.id
            WHERE coalesce(s.refunded, 0) <> b.refunded_cents
               OR coalesce(s.refunding, 0) <> b.refunding_cents) AS "wrongRefundSums",
          array(
            SELECT r.id::text FROM own_refunds r LEFT JOIN booked l ON l.id = r.id
            WHERE (coalesce(l.out_cents, 0), coalesce(l.back_cents, 0)) IS DISTINCT FROM CASE
              WHEN r.status IN (${REFUNDED}) THEN (-r.amount_cents::numeric, 0::numeric)
              WHEN r.status_reason_code = 'REFUND_RETURNED'
                THEN (-r.amount_cents::numeric, r.amount_cents::numeric)
              ELSE (0::numeric, 0::numeric) END) AS "wrongEntries",
          array(
            SELECT r.id::text FROM own_refunds r LEFT JOIN histories h ON h.id = r.id
            WHERE h.status IS DISTINCT FROM r.status OR NOT h.is_whole OR NOT h.is_in_order)
            AS "wrongHistories",
          array(
            SELECT b.id::text FROM batch b
            WHERE b.refunded_cents + b.refunding_cents > greatest(0, b.held_cents)) AS uncovered`,
  'the database gave no row',
);
