import type { Executor } from '#database/database.ts';
import type { PageQuery } from '#database/lists/list.ts';
import { allRows, firstRow, firstRowOrNull } from '#database/statements.ts';
import type { DeliveryStatus, LastAnswerClass, WebhookDelivery } from '#webhooks/model/delivery.ts';
import type { DeliveryOutcome } from '#webhooks/model/outcomes.ts';
import { attemptsOf } from './attempt-store.ts';

/**
 * OFFSET keeps the latest attempt a probe for each delivery: the planner would read all attempts.
 *
 * An endpoint that has moved since gets what it is still owed at its new URL; one that is only
 * probed gets nothing before its next probe.
 */
const SELECT = `SELECT d.id, d.event_id AS "eventId", v.event_type AS "eventType",
    v.is_test AS "isTest", v.erased_at IS NOT NULL AS "isErased",
    d.payment_request_id AS "paymentRequestId", d.endpoint_id AS "endpointId",
    e.deleted_at IS NOT NULL AS "isEndpointDeleted",
    CASE WHEN d.status = 'PENDING' THEN coalesce(e.url, d.url) ELSE d.url END AS url,
    d.status, d.ended_because AS "endedBecause", d.attempts,
    CASE WHEN l.outcome IS NOT NULL
         THEN json_build_object('outcome', l.outcome, 'httpStatus', l.http_status)
         WHEN d.attempts = 1 AND d.first_started_at IS NOT NULL
         THEN json_build_object('outcome', 'SUCCEEDED', 'httpStatus', d.first_http_status)
    END AS last,
    coalesce(d.failed_at, l.started_at,
             CASE WHEN d.attempts = 1 THEN d.first_started_at END) AS "lastAttemptAt",
    greatest(d.next_attempt_at, w.next_probe_at, o.next_probe_at) AS "nextAttemptAt",
    d.created_at AS "createdAt",
    d.completed_at AS "completedAt"
  FROM webhook_deliveries d
  JOIN webhook_events v ON v.id = d.event_id
  LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
  LEFT JOIN LATERAL (
    SELECT outcome, http_status, started_at FROM webhook_attempts
    WHERE delivery_id = d.id AND attempt = d.attempts OFFSET 0) l ON true
  LEFT JOIN webhook_destinations w ON d.status = 'PENDING' AND w.destination =
    CASE WHEN d.endpoint_id IS NULL THEN webhook_url_key(d.merchant_id, d.url)
         ELSE d.destination END
  LEFT JOIN webhook_destinations o ON d.status = 'PENDING' AND d.endpoint_id IS NULL
    AND o.destination = webhook_origin_key(d.merchant_id, d.url)`;

const FIND = `${SELECT} WHERE d.merchant_id = $1 AND d.id = $2`;

/** A delivery's place in the list, also in the order of the attempts. */
export interface DeliveryPlace {
  readonly id: string;
  /** By the latest attempt: its start. */
  readonly createdAt?: Date;
}

type FailedAnswer = Exclude<LastAnswerClass, '2xx'>;

export interface DeliveryFilters {
  readonly paymentRequestId: string | null;
  readonly endpointId: string | null;
  /** In the order of DELIVERY_STATUSES. */
  readonly statuses: readonly DeliveryStatus[] | null;
  /** Left out: any; a delivery has succeeded by an answer 2xx. */
  readonly lastAnswer?: FailedAnswer | undefined;
  /** By the latest attempt, where it failed; left out: by their creation. */
  readonly byAttempt?: boolean;
}

function answered(last: FailedAnswer, place: (value: unknown) => string): string {
  return last === 'failed' ? FAILS : `${FAILS} AND d.failed_by = ${place(last)}`;
}

/** Also the condition of the index of deliveries that fail. */
const FAILS = 'd.failed_at IS NOT NULL';

/**
 * A page of a merchant's deliveries, newest first. The text is made of the filters that there are,
 * so that each combination has its own plan; the statuses stand in it, for the partial index.
 *
 * A page of an endpoint is planned for its values each time: a plan for all endpoints takes an
 * endpoint for a small part of its merchant, and reads all deliveries of both. A page of several
 * statuses likewise: the index has each status in its own order.
 */
export function findDeliveryPage(
  db: Executor,
  { merchantId, filters, after, limit }: PageQuery<DeliveryFilters, DeliveryPlace>,
): Promise<WebhookDelivery[]> {
  const values: unknown[] = [merchantId, limit];
  const place = (value: unknown) => `$${values.push(value)}`;
  const { paymentRequestId, endpointId, statuses, lastAnswer, byAttempt } = filters;
  const order = byAttempt ? 'd.failed_at DESC, d.id DESC' : 'd.id DESC';
  const last = after && (byAttempt ? [after.createdAt, after.id] : [after.id]);
  const isArrived =
    statuses?.join() === 'SUCCEEDED' && !paymentRequestId && !endpointId && !byAttempt;
  const conditions = [
    'd.merchant_id = $1',
    ...(paymentRequestId
      ? [
          `d.event_id IN (SELECT id FROM webhook_events
             WHERE payment_request_id = ${place(paymentRequestId)})`,
        ]
      : []),
    ...(endpointId ? [`d.endpoint_id = ${place(endpointId)}`] : []),
    // The second condition is that of the index of what did not succeed; it is always true.
    ...(statuses ? [`d.status IN ('${statuses.join(`', '`)}') AND d.merchant_id <> ''`] : []),
    // The index alone finds a page of what succeeded behind all that wait.
    ...(isArrived
      ? [
          `d.id IN (SELECT id FROM webhook_deliveries
             WHERE merchant_id = $1 AND status = 'SUCCEEDED'
               ${after ? `AND id < ${place(after.id)}` : ''} ORDER BY id DESC LIMIT $2)`,
        ]
      : []),
    ...(lastAnswer ? [answered(lastAnswer, place)] : []),
    ...(byAttempt ? [FAILS] : []),
    ...(last ? [`(${byAttempt ? 'd.failed_at, ' : ''}d.id) < (${last.map(place)})`] : []),
  ];
  const parts = { request: paymentRequestId, status: statuses?.[0], after: after?.id };
  const named = Object.entries(parts).map(([name, value]) =>
    value ? (name === 'status' ? `-${value.toLowerCase()}` : `-${name}`) : '',
  );
  const isPlannedEachTime =
    endpointId !== null || lastAnswer !== undefined || byAttempt || (statuses?.length ?? 0) > 1;
  const statement = {
    name: isPlannedEachTime ? '' : `webhook-delivery-list${named.join('')}`,
    text: `${SELECT} WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT $2`,
  };
  return db.query<WebhookDelivery>(statement, values);
}

export const findDelivery = firstRow<WebhookDelivery, [merchantId: string, id: string]>(
  'webhook-delivery-find',
  FIND,
);

/** Finds a delivery and holds its row. */
export const lockDelivery = firstRow<WebhookDelivery, [merchantId: string, id: string]>(
  'webhook-delivery-lock',
  `${FIND} FOR NO KEY UPDATE OF d`,
);

/**
 * Makes a locked delivery due now, with its whole schedule before it.
 *
 * A delivery that is being sent now is left alone: it is being sent again as it is.
 *
 * @returns its endpoint or its origin, and its URL without an endpoint; null where it is just being
 *          sent
 */
export const queueAgain = firstRowOrNull<
  { destination: string; urlKey: string | null },
  [id: string]
>(
  'webhook-delivery-redeliver',
  `UPDATE webhook_deliveries
   SET status = 'PENDING', ended_because = NULL, completed_at = NULL,
       next_attempt_at = service_now(), uncounted_attempts = attempts,
       destination = coalesce(endpoint_id::text, webhook_origin_key(merchant_id, url))
   WHERE id = $1 AND (leased_until IS NULL OR leased_until <= service_now())
   RETURNING destination,
     CASE WHEN endpoint_id IS NULL THEN webhook_url_key(merchant_id, url) END AS "urlKey"`,
);

/** An attempt as a merchant may see it. */
export interface DeliveryAttempt {
  readonly attempt: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: DeliveryOutcome;
  readonly httpStatus: number | null;
  readonly responseBody: string | null;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly firstByteMs: number | null;
  readonly isAdvanced: boolean;
}

/** The latest attempts of a delivery, oldest first. */
export const findDeliveryAttempts = allRows<DeliveryAttempt, [deliveryId: string, most: number]>(
  'webhook-delivery-find-attempts',
  `SELECT attempt, started_at AS "startedAt", duration_ms AS "durationMs", outcome,
     http_status AS "httpStatus", left(response_body, 1024) AS "responseBody",
     dns_ms AS "dnsMs", connect_ms AS "connectMs", tls_ms AS "tlsMs",
     first_byte_ms AS "firstByteMs", is_advanced AS "isAdvanced"
   FROM (SELECT * FROM ${attemptsOf('$1')} log
         ORDER BY attempt DESC LIMIT $2) latest
   ORDER BY attempt`,
);
