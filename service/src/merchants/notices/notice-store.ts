import { execute, firstRow, firstValue, rowCount, valuesOf } from '#database/statements.ts';
import type { Notice } from './notice.ts';

export type NewNoticeRow = Omit<Notice, 'merchantName' | 'createdAt'>;

/** A notice whose lease this process holds. */
export interface ClaimedNotice extends Notice {
  /** This attempt included. */
  readonly attempts: number;
  /** The merchant's address for notices as it is now. */
  readonly email: string | null;
}

export const insertNotice = execute<[notice: NewNoticeRow]>(
  'merchant-notice-insert',
  `INSERT INTO merchant_notices (id, merchant_id, kind, payment_request_id, refund_id,
     amount_cents, currency, status_reason_code, number_end, previous_number_end)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  valuesOf(
    'id',
    'merchantId',
    'kind',
    'paymentRequestId',
    'refundId',
    'amountCents',
    'currency',
    'statusReasonCode',
    'numberEnd',
    'previousNumberEnd',
  ),
);

/**
 * Leases one due notice for so many seconds; undefined when none is due.
 *
 * Leases the notice that is due for longest; a process that ended leaves it to the others.
 */
export const claimNotice = firstRow<ClaimedNotice, [leaseToken: string, leaseSeconds: number]>(
  'merchant-notice-claim',
  `WITH due AS (
     SELECT id FROM merchant_notices
     WHERE status = 'PENDING' AND next_attempt_at <= service_now()
       AND (leased_until IS NULL OR leased_until <= service_now())
     ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
   )
   UPDATE merchant_notices n
   SET lease_token = $1, leased_until = service_now() + make_interval(secs => $2),
       attempts = n.attempts + 1
   FROM due, merchants m
   WHERE n.id = due.id AND m.id = n.merchant_id
   RETURNING n.id, n.merchant_id AS "merchantId", m.name AS "merchantName", n.kind,
     n.payment_request_id AS "paymentRequestId", n.refund_id AS "refundId",
     n.amount_cents AS "amountCents", n.currency, n.status_reason_code AS "statusReasonCode",
     n.number_end AS "numberEnd", n.previous_number_end AS "previousNumberEnd",
     n.created_at AS "createdAt", n.attempts, m.notice_email AS email`,
);

/** Ends a leased notice; a lease that another process took over hits no row. */
export const completeNotice = execute<
  [id: string, leaseToken: string, status: 'SENT' | 'OPERATOR']
>(
  'merchant-notice-complete',
  `UPDATE merchant_notices
   SET status = $3, completed_at = service_now(), lease_token = NULL, leased_until = NULL
   WHERE id = $1 AND lease_token = $2`,
);

/** Gives a leased notice back, for an attempt after so many seconds. */
export const postponeNotice = execute<[id: string, leaseToken: string, seconds: number]>(
  'merchant-notice-postpone',
  `UPDATE merchant_notices
   SET next_attempt_at = service_now() + make_interval(secs => $3), lease_token = NULL,
       leased_until = NULL
   WHERE id = $1 AND lease_token = $2`,
);

/** Deletes at most `limit` completed notices of that age. Returns how many. */
export const pruneNotices = rowCount<[days: number, limit: number]>(
  'merchant-notice-prune',
  `DELETE FROM merchant_notices WHERE id IN (
     SELECT id FROM merchant_notices
     WHERE completed_at <= service_now() - make_interval(days => $1)
     ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);

export const saveNoticeEmail = execute<[merchantId: string, email: string | null]>(
  'merchant-set-notice-email',
  'UPDATE merchants SET notice_email = $2 WHERE id = $1',
);

export const findNoticeEmail = firstValue<string | null, [merchantId: string]>(
  'merchant-find-notice-email',
  'SELECT notice_email AS email FROM merchants WHERE id = $1',
  null,
);
