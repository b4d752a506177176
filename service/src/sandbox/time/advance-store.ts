import { allRows, allValues, execute, firstValue, hasRows } from '#database/statements.ts';
import { canExpire, sqlListOf } from '#payment-requests/model/statuses.ts';
import { IS_NEXT } from '#webhooks/sending/lease-store.ts';
import type { DueType } from './advance-schemas.ts';

/** The channel on which a new advance wakes the processes that carry it out. */
export const ADVANCES_CHANNEL = 'sandbox_advances';
/** Each step renews the claim; steps are a quarter of a second apart at most. */
const CLAIMED_UNTIL = "service_now() + interval '10 s'";

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

/** Takes advances that no process carries out. @returns their payment requests */
export const claimAdvances = allValues<string, [most: number]>(
  'sandbox-advance-claim',
  `UPDATE sandbox_advances SET claimed_until = ${CLAIMED_UNTIL}
   WHERE payment_request_id IN (
     SELECT payment_request_id FROM sandbox_advances
     WHERE claimed_until IS NULL OR claimed_until <= service_now()
     ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING payment_request_id::text`,
);

/** Locks an advance and takes a time off. @returns what is left; null: the advance is over */
export const takeFromAdvance = firstValue<number | null, [paymentRequestId: string, us: number]>(
  'sandbox-advance-take',
  `UPDATE sandbox_advances SET remaining_us = remaining_us - $2, claimed_until = ${CLAIMED_UNTIL}
   WHERE payment_request_id = $1 RETURNING remaining_us`,
  null,
);

export const releaseAdvance = execute<[paymentRequestId: string]>(
  'sandbox-advance-release',
  'UPDATE sandbox_advances SET claimed_until = NULL WHERE payment_request_id = $1',
);

export const deleteAdvance = execute<[paymentRequestId: string]>(
  'sandbox-advance-delete',
  'DELETE FROM sandbox_advances WHERE payment_request_id = $1',
);
