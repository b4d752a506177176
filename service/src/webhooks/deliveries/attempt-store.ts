import { allRows } from '#database/statements.ts';
import { FIRST_ATTEMPT_COLUMNS } from '#webhooks/model/first-attempt.ts';
import type { DeliveryOutcome } from '#webhooks/model/outcomes.ts';

/**
 * The attempts of a delivery as a table expression, in the form of webhook_attempts. A first
 * attempt that succeeded stands in its delivery's row (decision 0077).
 *
 * Each part has the identifier itself: the planner moves no condition of a join into a UNION, and
 * would read all deliveries.
 *
 * @param deliveryId in SQL
 */
export function attemptsOf(deliveryId: string): string {
  return `(
  SELECT delivery_id, attempt, outcome, is_advanced, ${Object.values(FIRST_ATTEMPT_COLUMNS)}
  FROM webhook_attempts WHERE delivery_id = ${deliveryId}
  UNION ALL
  SELECT id, 1, 'SUCCEEDED', false, ${Object.keys(FIRST_ATTEMPT_COLUMNS)}
  FROM webhook_deliveries WHERE id = ${deliveryId} AND first_started_at IS NOT NULL)`;
}

/** An attempt to deliver one event to one URL, as a merchant may see it. */
export interface WebhookAttempt {
  readonly startedAt: Date;
  /** Tells attempts of one instant apart: the delivery's id and the attempt's number. */
  readonly key: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly sequence: number;
  readonly deliveryId: string;
  /** null: the payment request's own webhook URL. */
  readonly endpointId: string | null;
  readonly url: string;
  /** The attempt's number, from 1. */
  readonly attempt: number;
  readonly outcome: DeliveryOutcome;
  readonly httpStatus: number | null;
  /** The answer's beginning: at most 1,024 characters. */
  readonly responseBody: string | null;
  readonly durationMs: number;
}

export interface AttemptsQuery {
  readonly paymentRequestId: string;
  /** The rank that attempts have among what else is listed with them. */
  readonly rank: number;
  readonly after: {
    readonly occurredAt: Date;
    readonly rank: number;
    readonly key: string;
  } | null;
  readonly limit: number;
}

/**
 * The first attempts for a payment request's events after a position, oldest first.
 *
 * Goes from the payment request to its events, their deliveries and attempts: an index probe each.
 */
export const findWebhookAttempts = allRows<WebhookAttempt, [asked: AttemptsQuery]>(
  'webhook-attempt-find',
  `SELECT a.at AS "startedAt", a.key, w.id AS "eventId", w.event_type AS "eventType",
          w.sequence, d.id AS "deliveryId", d.endpoint_id AS "endpointId", d.url,
          a.attempt, a.outcome, a.http_status AS "httpStatus",
          left(a.response_body, 1024) AS "responseBody", a.duration_ms AS "durationMs"
   FROM webhook_events w
   JOIN webhook_deliveries d ON d.event_id = w.id
   CROSS JOIN LATERAL (
     SELECT *, date_trunc('milliseconds', started_at) AS at,
            (delivery_id::text || lpad(attempt::text, 10, '0')) COLLATE "C" AS key
     FROM ${attemptsOf('d.id')} log) a
   WHERE w.payment_request_id = $1 AND NOT w.is_test
     AND ($2::timestamptz IS NULL OR (a.at, $3::int, a.key) > ($2, $4::int, $5::text))
   ORDER BY a.at, a.key LIMIT $6`,
  ({ paymentRequestId, rank, after, limit }) => [
    paymentRequestId,
    after?.occurredAt ?? null,
    rank,
    after?.rank ?? null,
    after?.key ?? null,
    limit,
  ],
);
