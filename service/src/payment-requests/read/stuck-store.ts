import type { Executor, Statement } from '#database/database.ts';

/** A person follows up the oldest first; more at the same time have one cause. */
const MOST_STUCK = 100;

/** Each part reads a partial index of open payment requests, in its order. */
const FIND: Statement = {
  name: 'payment-request-find-stuck',
  text: `
    SELECT * FROM (
      (SELECT p.id, p.merchant_id AS "merchantId", 'EXPIRY_OVERDUE' AS why, p.expires_at AS since
       FROM payment_requests p
       WHERE p.status = 'CREATED' AND p.expires_at < service_now() - make_interval(secs => $1)
       ORDER BY p.expires_at LIMIT ${MOST_STUCK})
      UNION ALL
      (SELECT p.id, p.merchant_id, 'PROCESSING_LONG', e.occurred_at
       FROM (SELECT id, merchant_id FROM payment_requests WHERE status = 'PROCESSING'
             ORDER BY id LIMIT 1000) p
       JOIN payment_request_events e ON e.payment_request_id = p.id AND e.status = 'PROCESSING'
       WHERE e.occurred_at < service_now() - make_interval(secs => $2)
       ORDER BY e.occurred_at LIMIT ${MOST_STUCK})) stuck
    ORDER BY since LIMIT ${MOST_STUCK}`,
};

/** Why a payment request counts as stuck. */
export type StuckReason = 'EXPIRY_OVERDUE' | 'PROCESSING_LONG';

export interface StuckPaymentRequest {
  readonly id: string;
  readonly merchantId: string;
  readonly why: StuckReason;
  /** When the expiry passed, or when the payment began. */
  readonly since: Date;
}

/** Payment requests that stand still for longer than these times, the longest first. */
export function findStuck(
  db: Executor,
  {
    overdueSeconds,
    processingSeconds,
  }: Readonly<Record<'overdueSeconds' | 'processingSeconds', number>>,
): Promise<StuckPaymentRequest[]> {
  return db.query(FIND, [overdueSeconds, processingSeconds]);
}
