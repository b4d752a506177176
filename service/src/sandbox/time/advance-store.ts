import { allRows, allValues, execute, firstValue, hasRows } from '#database/statements.ts';
import { canExpire, sqlListOf } from '#payment-requests/model/statuses.ts';
import { IS_NEXT } from '#webhooks/sending/lease-store.ts';
import type { DueType } from './advance-schemas.ts';

/** The channel on which a new advance wakes the processes that carry it out. */
export const ADVANCES_CHANNEL = 'sandbox_advances';
/** The loop renews its claims each second; a process that misses ten of them is gone. */
const CLAIMED_UNTIL = "service_now() + interval '10 s'";
/** The advances whose listeners hang leave the rest of a process to other merchants. */
const MOST_OF_MERCHANT = 2;

/** Something that falls due for a payment request or one of its refunds. */
export interface Due {
  readonly type: DueType;
  /** The payment request, refund, message or delivery. */
  readonly id: string;
  /** In microseconds, as instants have them; 0 and less: it is due. */
  readonly aheadUs: number;
}

/** In the order of the due instants. Paused endpoints hold what they are owed. */
export const findDue = allRows<Due, [paymentRequestId: string]>(
  'sandbox-advance-find-due',
  `SELECT type, id::text,
     (extract(epoch FROM due_at - service_now()) * 1000000)::bigint AS "aheadUs"
   FROM (
     SELECT 'EXPIRY' AS type, id, expires_at AS due_at FROM payment_requests
     WHERE id = $1 AND status IN (${sqlListOf(canExpire)})
     UNION ALL
     SELECT 'SIMULATOR_STEP', payment_request_id, due_at FROM sandbox_steps
     WHERE payment_request_id = $1 AND done_at IS NULL
     UNION ALL
     SELECT 'REFUND_STEP', id, next_poll_at FROM refunds
     WHERE payment_request_id = $1 AND next_poll_at IS NOT NULL
     UNION ALL
     SELECT 'MESSAGE', id, next_attempt_at FROM messages
     WHERE payment_request_id = $1 AND next_attempt_at IS NOT NULL
     UNION ALL
     SELECT 'WEBHOOK_ATTEMPT', d.id, d.next_attempt_at
     FROM webhook_deliveries d LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
     WHERE d.payment_request_id = $1 AND d.sequence > 0 AND d.next_attempt_at IS NOT NULL
       AND e.status IS DISTINCT FROM 'PAUSED' AND ${IS_NEXT}) due
   ORDER BY due_at, type`,
);

/** @returns false: an advance of the payment request is under way */
export const insertAdvance = hasRows<[paymentRequestId: string, us: number]>(
  'sandbox-advance-insert',
  `INSERT INTO sandbox_advances (payment_request_id, remaining_us) VALUES ($1, $2)
   ON CONFLICT DO NOTHING RETURNING payment_request_id`,
);

export const notifyAdvance = execute(
  'sandbox-advance-notify',
  `SELECT pg_notify('${ADVANCES_CHANNEL}', '')`,
);

/** Renews the claims of a process on the advances that it carries out. */
export const renewAdvances = execute<[token: string, running: readonly string[]]>(
  'sandbox-advance-renew',
  `UPDATE sandbox_advances SET claimed_until = ${CLAIMED_UNTIL}
   WHERE claim_token = $1 AND payment_request_id = ANY ($2::uuid[])`,
);

/** Takes advances that no process carries out. @returns their payment requests */
export const claimAdvances = allValues<
  string,
  [token: string, running: readonly string[], most: number]
>(
  'sandbox-advance-claim',
  `UPDATE sandbox_advances SET claim_token = $1, claimed_until = ${CLAIMED_UNTIL}
   WHERE payment_request_id IN (
     SELECT payment_request_id FROM sandbox_advances
     WHERE payment_request_id IN (
       SELECT id FROM (
         SELECT p.id, is_free, row_number() OVER (
           PARTITION BY merchant_id ORDER BY is_free, a.created_at) AS turn
         FROM sandbox_advances a JOIN payment_requests p ON p.id = payment_request_id,
           LATERAL (SELECT claimed_until IS NULL OR claimed_until <= service_now()
             AND p.id <> ALL ($2::uuid[])) claim (is_free)) of_merchant
       WHERE is_free AND turn <= ${MOST_OF_MERCHANT})
     ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING payment_request_id::text`,
);

/**
 * Locks an advance and takes a time off. @returns what is left; null: the advance is over, or
 * another process has it
 */
export const takeFromAdvance = firstValue<
  number | null,
  [paymentRequestId: string, token: string, us: number]
>(
  'sandbox-advance-take',
  `UPDATE sandbox_advances SET remaining_us = remaining_us - $3
   WHERE payment_request_id = $1 AND claim_token = $2 RETURNING remaining_us`,
  null,
);

export const releaseAdvance = execute<[paymentRequestId: string, token: string]>(
  'sandbox-advance-release',
  `UPDATE sandbox_advances SET claimed_until = NULL
   WHERE payment_request_id = $1 AND claim_token = $2`,
);

export const deleteAdvance = execute<[paymentRequestId: string]>(
  'sandbox-advance-delete',
  'DELETE FROM sandbox_advances WHERE payment_request_id = $1',
);
