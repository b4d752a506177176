import { allRows, firstRow } from '#database/statements.ts';
import type { RefusalReason } from '../refusal-reason.ts';
import { type GatewayPayment, MOST_REFUSALS } from './gateway-payment.ts';
import { COLUMNS, REPORT_LEASE_SECONDS } from './gateway-payment-store.ts';

/**
 * Notes a refusal that the payer can correct, for the payer's session and in the payment's count.
 *
 * Tells a session why its payer was refused, once: a second click finds the reason there. The
 * payment's lock comes first, as in ANSWER_ASKED: two statements cannot block each other.
 *
 * @returns the payment, REFUSED after the last refusal; undefined where the session has a reason
 * already, or the payment is not open any more
 */
export const refuseSession = firstRow<
  GatewayPayment,
  [paymentId: string, sessionId: Buffer, reason: RefusalReason]
>(
  'gateway-refuse-session',
  `WITH payment AS (
     SELECT id, refusals + 1 >= $4 AS is_last FROM gateway_payments
     WHERE id = $1 AND state = 'OPEN' AND expires_at > service_now() FOR UPDATE),
   told AS (
     UPDATE gateway_sessions s SET refusal_reason = $3 FROM payment
     WHERE s.id_hash = $2 AND s.payment_id = payment.id AND s.refusal_reason IS NULL
       AND s.expires_at > service_now()
     RETURNING payment.is_last)
   UPDATE gateway_payments g SET refusals = g.refusals + 1, failed_sign_ins = 0,
     state = CASE WHEN told.is_last THEN 'REFUSED' ELSE g.state END,
     refusal_reason = CASE WHEN told.is_last THEN $3 END,
     report_due_at = CASE WHEN told.is_last
                          THEN service_now() + make_interval(secs => $5) END,
     decided_by = CASE WHEN told.is_last THEN $2 END,
     version = g.version + told.is_last::int
   FROM told WHERE g.id = $1 RETURNING ${COLUMNS}`,
  (paymentId, sessionId, reason) => [
    paymentId,
    sessionId,
    reason,
    MOST_REFUSALS,
    REPORT_LEASE_SECONDS,
  ],
);

/**
 * A payment asks a single institution at a time: two that answer would take the money twice.
 *
 * @returns undefined where the payment is not open any more.
 */
export const askInstitution = firstRow<
  GatewayPayment,
  [
    paymentId: string,
    asked: {
      readonly institution: string;
      readonly decidedBy: Buffer;
      readonly answersAfterSeconds: number;
    },
  ]
>(
  'gateway-ask-institution',
  `UPDATE gateway_payments g SET state = 'ASKED', institution = $2, decided_by = $3,
     settles_at = service_now() + make_interval(secs => $4), version = g.version + 1
   WHERE g.id = $1 AND g.state = 'OPEN' AND g.expires_at > service_now()
   RETURNING ${COLUMNS}`,
  (paymentId, { institution, decidedBy, answersAfterSeconds }) => [
    paymentId,
    institution,
    decidedBy,
    answersAfterSeconds,
  ],
);

/** Ends the wait for institutions that have not answered: OPEN again, or REFUSED at the bound. */
export const endUnanswered = allRows<GatewayPayment, [most: number]>(
  'gateway-answer-asked',
  `WITH due AS (
     SELECT id, decided_by, refusals + 1 >= $2 AS is_last FROM gateway_payments
     WHERE state = 'ASKED' AND settles_at <= service_now()
     LIMIT $1 FOR UPDATE SKIP LOCKED),
   told AS (
     UPDATE gateway_sessions s SET refusal_reason = 'INSTITUTION_UNAVAILABLE'
     FROM due WHERE s.id_hash = due.decided_by AND s.payment_id = due.id)
   UPDATE gateway_payments g SET refusals = g.refusals + 1,
     state = CASE WHEN due.is_last THEN 'REFUSED' ELSE 'OPEN' END,
     refusal_reason = CASE WHEN due.is_last THEN 'INSTITUTION_UNAVAILABLE' END,
     report_due_at = CASE WHEN due.is_last
                          THEN service_now() + make_interval(secs => $3) END,
     institution = NULL, settles_at = NULL,
     decided_by = CASE WHEN due.is_last THEN g.decided_by END, version = g.version + 1
   FROM due WHERE g.id = due.id RETURNING ${COLUMNS}`,
  (most) => [most, MOST_REFUSALS, REPORT_LEASE_SECONDS],
);
