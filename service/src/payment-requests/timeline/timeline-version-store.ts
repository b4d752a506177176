import { allRows } from '#database/statements.ts';

export interface StoryVersion {
  readonly id: string;
  readonly merchantId: string;
  readonly version: number;
}

/**
 * The present versions; payment requests that do not exist are left out.
 *
 * Grows with every change that a page about the payment request shows: its own version, its
 * refunds', the attempts of its webhooks, and the notes of its timeline. Each part reads an index
 * by the payment request.
 */
export const findTimelineVersions = allRows<StoryVersion, [ids: readonly string[]]>(
  'payment-request-timeline-versions',
  `SELECT p.id::text, p.merchant_id AS "merchantId", (p.version
     + (SELECT count(*) FROM payment_request_timeline t WHERE t.payment_request_id = p.id)
     + (SELECT coalesce(sum(r.version), 0) FROM refunds r WHERE r.payment_request_id = p.id)
     + (SELECT count(*) + coalesce(sum(d.attempts), 0)
        FROM webhook_events w JOIN webhook_deliveries d ON d.event_id = w.id
        WHERE w.payment_request_id = p.id))::int AS version
   FROM payment_requests p WHERE p.id = ANY ($1::uuid[])`,
);
