import type { Executor } from '#database/database.ts';
import { type Found, MOST_COUNTED } from './delivery-store.ts';

/**
 * A batch of payment requests in the order of their ids, compared with what else is stored of
 * them. The body of each webhook event has the payment request's amount. The first "amount" of a
 * body is the resource's: only id and merchantTransactionId precede it, with their quotes escaped.
 * The version counts the changes of status, the UPDATED entries, the entries about money and the
 * events of refunds, of which some change no sum. The sandbox may bring an
 * expiry forward once, without an entry. An erasure counts without one; the reserved e-mail
 * address ($3) tells it. A cancellation leaves its entry. A history that does not lead to the
 * status is the outbox's fault.
 */
const AUDIT_PAYMENT_REQUESTS = {
  name: 'doctor-audit-payment-requests',
  text: `
    WITH batch AS MATERIALIZED (
      SELECT id, amount_cents, version, status, payer_email IS NOT DISTINCT FROM $3 AS is_erased
      FROM payment_requests WHERE id > $1 ORDER BY id LIMIT $2
    ), changes AS (
      SELECT e.payment_request_id AS id, count(*) AS count,
             (array_agg(e.status ORDER BY e.position DESC))[1] AS status,
             bool_or(e.status = 'EXPIRED') AS has_expired,
             bool_or(e.status = 'CANCELLED') AS is_cancelled
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
    )
    SELECT (SELECT count(*) FROM batch) AS "paymentRequests",
           (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS "lastId",
           array(
             SELECT DISTINCT b.id::text FROM batch b
             JOIN webhook_events w ON w.payment_request_id = b.id AND NOT w.is_test
             WHERE w.event_type = ANY ($4::text[])
               AND (substring(w.body from '"amount":([0-9]+\\.[0-9][0-9])[,}]')::numeric * 100)
                   IS DISTINCT FROM b.amount_cents) AS "wrongAmounts",
           array(
             SELECT b.id::text FROM batch b
             JOIN changes c ON c.id = b.id LEFT JOIN entries e ON e.id = b.id
             LEFT JOIN refunds_of r ON r.id = b.id
             WHERE (c.is_cancelled AND coalesce(e.cancellations, 0) = 0)
                OR (NOT b.is_erased AND c.status = b.status AND b.version
                    > c.count + coalesce(e.updates, 0) + coalesce(r.count, 0)
                      + c.has_expired::int)) AS "lackEntries"`,
};

// Read off the index payment_requests_to_expire.
const FIND_UNEXPIRED = {
  name: 'doctor-find-unexpired',
  text: `
    SELECT count(*) AS count, (array_agg(id))[1:5] AS examples FROM (
      SELECT id::text FROM payment_requests
      WHERE status = 'CREATED' AND expires_at < service_now() - make_interval(secs => $1)
      ORDER BY expires_at LIMIT ${MOST_COUNTED}) unexpired`,
};

export interface PaymentRequestBatch {
  readonly paymentRequests: number;
  /** `null` when there was nothing after the id given. */
  readonly lastId: string | null;
  readonly wrongAmounts: readonly string[];
  readonly lackEntries: readonly string[];
}

/**
 * Audits up to `limit` payment requests after an id.
 * @param erasedEmail the e-mail address that stands in an erased payer's place
 * @param eventTypes  the types of the events whose body is the payment request
 */
export async function auditPaymentRequests(
  db: Executor,
  after: string,
  limit: number,
  erasedEmail: string,
  eventTypes: readonly string[],
): Promise<PaymentRequestBatch> {
  const values = [after, limit, erasedEmail, eventTypes];
  const [row] = await db.query<PaymentRequestBatch>(AUDIT_PAYMENT_REQUESTS, values);
  return row ?? { paymentRequests: 0, lastId: null, wrongAmounts: [], lackEntries: [] };
}

/** Payment requests that are CREATED though their expiry passed more than `seconds` ago. */
export async function findUnexpired(db: Executor, seconds: number): Promise<Found> {
  const [row] = await db.query<Found>(FIND_UNEXPIRED, [seconds]);
  return row ?? { count: 0, examples: null };
}
