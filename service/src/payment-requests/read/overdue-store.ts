import { allRows, valuesOf } from '#database/statements.ts';
import { canExpire, isInProgress, sqlListOf } from '#payment-requests/model/statuses.ts';

/** A person follows up the oldest first; more at the same time have one cause. */
const MOST_OVERDUE = 100;

const IN_PROGRESS = sqlListOf(isInProgress);

/** Why a payment request counts as overdue. */
export type OverdueReason = 'EXPIRY_OVERDUE' | 'PROCESSING_LONG';

export interface OverduePaymentRequest {
  readonly id: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly why: OverdueReason;
  /** When the expiry passed, or when the payment began. */
  readonly since: Date;
}

/**
 * Payment requests that stand still for longer than these times, the longest first.
 *
 * Each part reads a partial index of open payment requests, in its order.
 */
export const findOverdue = allRows<
  OverduePaymentRequest,
  [record: Readonly<Record<'overdueSeconds' | 'processingSeconds', number>>]
>(
  'payment-request-find-overdue',
  `SELECT overdue.*, m.name AS "merchantName" FROM (
     (SELECT p.id, p.merchant_id AS "merchantId", 'EXPIRY_OVERDUE' AS why, p.expires_at AS since
      FROM payment_requests p
      WHERE p.status IN (${sqlListOf(canExpire)})
        AND p.expires_at < service_now() - make_interval(secs => $1)
      ORDER BY p.expires_at LIMIT ${MOST_OVERDUE})
     UNION ALL
     (SELECT p.id, p.merchant_id, 'PROCESSING_LONG', e.occurred_at
      FROM (SELECT id, merchant_id FROM payment_requests
            WHERE status IN (${IN_PROGRESS}) ORDER BY id LIMIT 1000) p
      JOIN payment_request_events e
        ON e.payment_request_id = p.id AND e.status IN (${IN_PROGRESS})
      WHERE e.occurred_at < service_now() - make_interval(secs => $2)
      ORDER BY e.occurred_at LIMIT ${MOST_OVERDUE})) overdue
   JOIN merchants m ON m.id = overdue."merchantId" ORDER BY since LIMIT ${MOST_OVERDUE}`,
  valuesOf('overdueSeconds', 'processingSeconds'),
);
