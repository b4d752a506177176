import { oneRow } from '#database/statements.ts';
import {
  canExpire,
  isOpen,
  sqlListOf,
  sqlListReachedBy,
} from '#payment-requests/model/statuses.ts';
import { type AuditedBatch, countsRows } from '../found-store.ts';

/** A process is unready when its clock is 30 s off; the rest is for a failover to another clock. */
const CLOCKS = `interval '5 minutes'`;
/** A network may state a day without a time, in a time zone of its own. */
const NETWORK_DAYS = `interval '3 days'`;

export interface PaymentRequestBatch extends AuditedBatch {
  readonly wrongAmounts: readonly string[];
  readonly wrongShortCodes: readonly string[];
  /** An event has a number above the payment request's count, or one in between is missing. */
  readonly wrongSequences: readonly string[];
  readonly lackEntries: readonly string[];
  /** Events, creation and payment are not in the order of time, or lie in the future. */
  readonly wrongTimes: readonly string[];
  /** The expiry precedes the creation, or lies further ahead than the contract allows. */
  readonly wrongExpiries: readonly string[];
}

export interface PaymentRequestFacts {
  /** The e-mail address that stands in an erased payer's place. */
  readonly erasedEmail: string;
  /** The types of the events whose body is the payment request. */
  readonly eventTypes: readonly string[];
  /** How long webhook events are kept. */
  readonly keptDays: number;
  readonly longestExpirySeconds: number;
}

/**
 * Audits up to `limit` payment requests after an id.
 *
 * A batch of payment requests in the order of their ids, compared with what else is stored of
 * them, in one statement and so at one moment.
 *
 * The body of each webhook event has the payment request's amount and short code. The first
 * "amount" of a body is the resource's: only id and merchantTransactionId precede it, with their
 * quotes escaped. A link at the network ends with the short code. Events count from 1 to the
 * payment request's own count; those of an age at which they are pruned, less an hour for clocks
 * that differ, may be gone.
 *
 * The version counts the changes of status, the UPDATED entries, the entries about money and the
 * events of refunds, of which some change no sum. The sandbox may bring an
 * expiry forward once, without an entry. An erasure counts without one; the reserved e-mail
 * address ($3) tells it. A cancellation leaves its entry. A history that does not lead to the
 * status is the outbox's fault.
 *
 * Money may be older than its payment request where an operator has assigned it, or where the
 * bank's statement says so. An expiry is set while the status is CREATED, and lies at most $6
 * seconds ahead of that moment.
 */
export const auditPaymentRequests = oneRow<
  PaymentRequestBatch,
  [after: string, limit: number, facts: PaymentRequestFacts]
>(
  'doctor-audit-payment-requests',
  `WITH batch AS MATERIALIZED (
     SELECT id, amount_cents, version, status, short_code, webhook_sequence, created_at,
            expires_at, payment_completed_at AS completed_at,
            payment_network_reference AS reference,
            payer_email IS NOT DISTINCT FROM $3 AS is_erased
     FROM payment_requests WHERE id > $1 ORDER BY id LIMIT $2
   ), changes AS (
     SELECT e.payment_request_id AS id, count(*) AS count,
            (array_agg(e.status ORDER BY e.position DESC))[1] AS status,
            bool_or(e.status IN (${sqlListReachedBy('EXPIRY_PASSED')})) AS has_expired,
            bool_or(e.status IN (${sqlListReachedBy('CANCELLED_BY_MERCHANT')}))
              AS is_cancelled,
            array_agg(e.occurred_at ORDER BY e.position)
              = array_agg(e.occurred_at ORDER BY e.occurred_at) AS is_in_order,
            min(e.occurred_at) AS first_at, max(e.occurred_at) AS last_at,
            max(e.occurred_at)
              FILTER (WHERE e.status IN (${sqlListReachedBy('PAYMENT_SUCCEEDED')})) AS paid_at
     FROM payment_request_events e JOIN batch b ON b.id = e.payment_request_id GROUP BY 1
   ), entries AS (
     SELECT t.payment_request_id AS id,
            count(*) FILTER (WHERE t.type <> 'CANCELLATION_REQUESTED') AS updates,
            count(*) FILTER (WHERE t.type = 'CANCELLATION_REQUESTED') AS cancellations
     FROM payment_request_timeline t JOIN batch b ON b.id = t.payment_request_id
     WHERE t.type IN ('UPDATED', 'CANCELLATION_REQUESTED', 'PART_RECEIVED', 'MONEY_RETURNED')
     GROUP BY 1
   ), refunds_of AS (
     SELECT r.payment_request_id AS id, count(*) AS count
     FROM refunds r JOIN batch b ON b.id = r.payment_request_id
     JOIN refund_events e ON e.refund_id = r.id GROUP BY 1
   ), bodies AS (
     SELECT b.id, w.sequence,
            w.event_type = ANY ($4::text[])
              AND (substring(w.body from '"amount":([0-9]+\\.[0-9][0-9])[,}]')::numeric * 100)
                  IS DISTINCT FROM b.amount_cents AS has_other_amount,
            w.event_type = ANY ($4::text[])
              AND position('"shortCode":"' || b.short_code || '"' IN w.body) = 0 AS has_other_code,
            min(w.sequence) FILTER (
              WHERE w.created_at > service_now() - make_interval(days => $5, hours => -1))
              OVER (PARTITION BY b.id) AS kept_from
     FROM batch b JOIN webhook_events w ON w.payment_request_id = b.id AND NOT w.is_test
   ), webhooks AS (
     SELECT id, bool_or(has_other_amount) AS has_other_amount,
            bool_or(has_other_code) AS has_other_code, max(sequence) AS newest,
            min(kept_from) AS kept_from, count(*) FILTER (WHERE sequence >= kept_from) AS kept
     FROM bodies GROUP BY id
   ), links AS (
     SELECT payment_request_id AS id, payment_link FROM gateway_payments
     WHERE payment_request_id IN (SELECT id FROM batch)
     UNION ALL
     SELECT payment_request_id, payment_link FROM bank_transfer_requests
     WHERE payment_request_id IN (SELECT id FROM batch)
   )
   SELECT (SELECT count(*) FROM batch) AS examined,
          (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last,
          array(SELECT id::text FROM webhooks WHERE has_other_amount) AS "wrongAmounts",
          array(
            SELECT id::text FROM webhooks WHERE has_other_code
            UNION
            SELECT b.id::text FROM batch b JOIN links l ON l.id = b.id
            WHERE right(l.payment_link, length(b.short_code) + 1) <> '/' || b.short_code)
            AS "wrongShortCodes",
          array(
            SELECT b.id::text FROM batch b JOIN webhooks w ON w.id = b.id
            WHERE w.newest > b.webhook_sequence
               OR w.kept <> b.webhook_sequence - w.kept_from + 1) AS "wrongSequences",
          array(
            SELECT b.id::text FROM batch b
            JOIN changes c ON c.id = b.id LEFT JOIN entries e ON e.id = b.id
            LEFT JOIN refunds_of r ON r.id = b.id
            WHERE (c.is_cancelled AND coalesce(e.cancellations, 0) = 0)
               OR (NOT b.is_erased AND c.status = b.status AND b.version
                   > c.count + coalesce(e.updates, 0) + coalesce(r.count, 0)
                     + c.has_expired::int)) AS "lackEntries",
          array(
            SELECT b.id::text FROM batch b LEFT JOIN changes c ON c.id = b.id
            WHERE NOT c.is_in_order OR c.first_at < b.created_at - ${CLOCKS}
               OR greatest(b.created_at, c.last_at) > service_now() + ${CLOCKS}
               OR b.completed_at > c.paid_at + ${NETWORK_DAYS}
               OR (b.completed_at < b.created_at - ${NETWORK_DAYS} AND NOT EXISTS (
                    SELECT FROM ledger_entries l
                    WHERE l.payment_request_id = b.id AND l.type = 'ASSIGNED')
                  AND NOT EXISTS (
                    SELECT FROM bank_movements m
                    WHERE m.network_reference = b.reference AND m.booked_at = b.completed_at)))
            AS "wrongTimes",
          array(
            SELECT b.id::text FROM batch b LEFT JOIN changes c ON c.id = b.id
            WHERE b.expires_at < b.created_at - ${CLOCKS}
               OR b.expires_at > CASE WHEN b.status IN (${sqlListOf(isOpen)})
                                  THEN service_now() ELSE c.last_at END
                                 + make_interval(secs => $6) + ${CLOCKS}) AS "wrongExpiries"`,
  'the database gave no row',
  (after, limit, { erasedEmail, eventTypes, keptDays, longestExpirySeconds }) => [
    after,
    limit,
    erasedEmail,
    eventTypes,
    keptDays,
    longestExpirySeconds,
  ],
);

/**
 * Payment requests that are CREATED though their expiry passed more than so many seconds ago; read
 * off the index payment_requests_to_expire.
 */
export const findUnexpired = countsRows(
  'doctor-find-unexpired',
  `SELECT id::text FROM payment_requests
   WHERE status IN (${sqlListOf(canExpire)})
     AND expires_at < service_now() - make_interval(secs => $1)
   ORDER BY expires_at`,
);
