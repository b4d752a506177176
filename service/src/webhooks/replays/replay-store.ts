import {
  allRows,
  execute,
  firstRow,
  firstRowOr,
  firstValue,
  valuesOf,
} from '#database/statements.ts';
import { passesFilter } from '#webhooks/events/type-filter-store.ts';
import type { LastAnswerClass } from '#webhooks/model/delivery.ts';
import type { WebhookEventType } from '#webhooks/model/event-types.ts';

export const REPLAY_STATUSES = ['RUNNING', 'COMPLETED', 'CANCELLED'] as const;

/** The events of a replay. */
export interface NewReplay {
  readonly id: string;
  readonly merchantId: string;
  readonly endpointId: string;
  /** Inclusive. */
  readonly fromAt: Date;
  /** Exclusive. */
  readonly toAt: Date;
  readonly onlyFailed: boolean;
  /** null: of every type. */
  readonly eventType: WebhookEventType | null;
  /** Only deliveries whose latest attempt ended so; null: any, also events without a delivery. */
  readonly lastAnswer: LastAnswerClass | null;
}

/** A job that sends what happened in a span of time to an endpoint again. */
export interface WebhookReplay extends NewReplay {
  readonly status: (typeof REPLAY_STATUSES)[number];
  /** How far it has looked, by the events' time. */
  readonly positionAt: Date;
  readonly examined: number;
  readonly queued: number;
  /** The queued deliveries that are not over. */
  readonly pending: number;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

const COLUMNS = `r.id, r.merchant_id AS "merchantId", r.endpoint_id AS "endpointId",
  r.from_at AS "fromAt", r.to_at AS "toAt", r.only_failed AS "onlyFailed",
  r.event_type AS "eventType", r.last_answer AS "lastAnswer", r.status,
  r.position_at AS "positionAt", r.examined, r.queued,
  r.created_at AS "createdAt", r.completed_at AS "completedAt",
  (SELECT count(*) FROM webhook_deliveries d
   WHERE d.replay_id = r.id AND d.status = 'PENDING') AS pending`;

/** The next events of a replay `r`, with whether the replay wants them. */
const JUDGED = (most: string) => `examined AS (
      SELECT v.id, v.created_at, v.payment_request_id, v.sequence, v.event_type, v.erased_at,
             r.merchant_id, r.endpoint_id, r.only_failed, r.event_type AS only_type, r.last_answer
      FROM r, LATERAL (
        SELECT * FROM webhook_events
        WHERE merchant_id = r.merchant_id AND NOT is_test
          AND (created_at, id) > (r.position_at, r.position_id) AND created_at < r.to_at
        ORDER BY created_at, id LIMIT ${most}) v
    ), judged AS (
      SELECT x.*, e.url, d.id AS delivery_id,
             x.erased_at IS NULL AND x.event_type = coalesce(x.only_type, x.event_type)
               AND CASE x.last_answer WHEN '2xx' THEN d.status IS NOT DISTINCT FROM 'SUCCEEDED'
                     WHEN 'failed' THEN d.failed_at IS NOT NULL
                     ELSE d.failed_by IS NOT DISTINCT FROM coalesce(x.last_answer, d.failed_by) END
               AND CASE WHEN x.only_failed THEN d.status IS NOT DISTINCT FROM 'EXHAUSTED'
                     ELSE d.id IS NOT NULL OR ${passesFilter('e.event_types', 'x.event_type')}
                   END AS is_wanted
      FROM examined x
      JOIN webhook_endpoints e ON e.id = x.endpoint_id
      LEFT JOIN webhook_deliveries d ON d.event_id = x.id AND d.endpoint_id = x.endpoint_id
    )`;

/**
 * The number of events that a replay would send, among those that it would look at first.
 *
 * The sums of a replay before its start.
 */
export const countReplay = firstRowOr<
  { readonly examined: number; readonly wanted: number },
  [replay: NewReplay, mostExamined: number]
>(
  'webhook-replay-preview',
  `WITH r AS (
     SELECT $1::text AS merchant_id, $2::uuid AS endpoint_id, $3::timestamptz AS position_at,
            '00000000-0000-0000-0000-000000000000'::uuid AS position_id,
            $4::timestamptz AS to_at, $5::boolean AS only_failed, $6::text AS event_type,
            $7::text AS last_answer
   ), ${JUDGED('$8')}
   SELECT count(*) AS examined, count(*) FILTER (WHERE is_wanted) AS wanted FROM judged`,
  { examined: 0, wanted: 0 },
  (replay, mostExamined) => [...eventsOf(replay), mostExamined],
);

function eventsOf({ merchantId, endpointId, fromAt, toAt, ...only }: NewReplay): unknown[] {
  const { onlyFailed, eventType, lastAnswer } = only;
  return [merchantId, endpointId, fromAt, toAt, onlyFailed, eventType, lastAnswer];
}

/** @returns undefined when another one of this endpoint is running */
export const insertReplay = firstRow<WebhookReplay, [replay: NewReplay]>(
  'webhook-replay-insert',
  `INSERT INTO webhook_replays AS r
     (id, merchant_id, endpoint_id, from_at, to_at, only_failed, event_type, last_answer,
      position_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $4)
   ON CONFLICT (endpoint_id) WHERE status = 'RUNNING' DO NOTHING
   RETURNING ${COLUMNS}`,
  (replay) => [replay.id, ...eventsOf(replay)],
);

/** The id of the one that is running; undefined where it has ended meanwhile. */
export const findRunningReplay = firstValue<string | undefined, [endpointId: string]>(
  'webhook-replay-find-running',
  `SELECT id FROM webhook_replays WHERE endpoint_id = $1 AND status = 'RUNNING'`,
  undefined,
);

export const findReplay = firstRow<
  WebhookReplay,
  [merchantId: string, endpointId: string, id: string]
>(
  'webhook-replay-find',
  `SELECT ${COLUMNS} FROM webhook_replays r
   WHERE r.merchant_id = $1 AND r.endpoint_id = $2 AND r.id = $3`,
);

export interface ReplaysQuery {
  readonly merchantId: string;
  /** null: of every endpoint. */
  readonly endpointId: string | null;
  /** The id that the page begins after; null for the first. */
  readonly after: string | null;
  readonly limit: number;
}

/** A merchant's replays, newest first: identifiers are in the order of time. */
export const findReplays = allRows<WebhookReplay, [asked: ReplaysQuery]>(
  'webhook-replay-list',
  `SELECT ${COLUMNS} FROM webhook_replays r
   WHERE r.merchant_id = $1 AND ($2::uuid IS NULL OR r.endpoint_id = $2)
     AND ($3::uuid IS NULL OR r.id < $3)
   ORDER BY r.id DESC LIMIT $4`,
  valuesOf('merchantId', 'endpointId', 'after', 'limit'),
);

export interface RunningReplay {
  readonly id: string;
  readonly isEndpointDeleted: boolean;
  /** The deliveries that the replay queued and that were not tried yet. */
  readonly waiting: number;
}

/**
 * Holds the next running replay after an id, for one step; undefined when there is none.
 *
 * A replay that another process is at is left to it.
 */
export const lockRunningReplay = firstRow<RunningReplay, [afterId: string]>(
  'webhook-replay-lock-running',
  `SELECT r.id, e.deleted_at IS NOT NULL AS "isEndpointDeleted",
     (SELECT count(*) FROM webhook_deliveries d
      WHERE d.replay_id = r.id AND d.status = 'PENDING'
        AND d.attempts = d.uncounted_attempts) AS waiting
   FROM webhook_replays r JOIN webhook_endpoints e ON e.id = r.endpoint_id
   WHERE r.status = 'RUNNING' AND r.id > $1
   ORDER BY r.id LIMIT 1 FOR UPDATE OF r SKIP LOCKED`,
);

/**
 * Makes one step of a locked replay: at most so many events looked at, and so many queued.
 *
 * Looks at the next events in the order of their time, queues those that are wanted as long as
 * there is room, and moves the position behind the last one that was settled; all in one statement.
 * A replay of everything also brings forward what waits for its next attempt. A delivery that is
 * being sent goes on as it is, and counts. SKIP LOCKED: a step must not wait in a circle with a
 * process that records several attempts.
 */
export const stepReplay = firstRowOr<
  { readonly queued: number; readonly isOver: boolean },
  [id: string, mostExamined: number, mostQueued: number]
>(
  'webhook-replay-step',
  `WITH r AS (
     SELECT * FROM webhook_replays WHERE id = $1
   ), ${JUDGED('$2')}, numbered AS (
     SELECT *, count(*) FILTER (WHERE is_wanted) OVER (ORDER BY created_at, id) AS place
     FROM judged
   ), settled AS (
     SELECT * FROM numbered WHERE place <= $3
   ), free AS (
     SELECT d.id, coalesce(d.leased_until > service_now(), false) AS is_leased
     FROM settled s JOIN webhook_deliveries d ON d.id = s.delivery_id
     WHERE s.is_wanted FOR UPDATE OF d SKIP LOCKED
   ), again AS (
     UPDATE webhook_deliveries d
     SET status = 'PENDING', ended_because = NULL, completed_at = NULL, replay_id = $1,
         destination = CASE WHEN free.is_leased THEN d.destination ELSE d.endpoint_id::text END,
         next_attempt_at = CASE WHEN free.is_leased THEN d.next_attempt_at
                                ELSE least(d.next_attempt_at, service_now()) END,
         uncounted_attempts = CASE WHEN free.is_leased THEN d.uncounted_attempts
                                   ELSE d.attempts END
     FROM free WHERE d.id = free.id
     RETURNING d.id
   ), fresh AS (
     INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence,
                                     endpoint_id, url, destination, replay_id)
     SELECT time_ordered_uuid(), s.id, s.merchant_id, s.payment_request_id, s.sequence,
            s.endpoint_id, s.url, s.endpoint_id::text, $1
     FROM settled s WHERE s.is_wanted AND s.delivery_id IS NULL
     ON CONFLICT DO NOTHING
     RETURNING event_id
   ), owed AS (
     UPDATE webhook_events v SET owed_deliveries = v.owed_deliveries + 1
     FROM fresh f WHERE v.id = f.event_id
   ), counted AS (
     SELECT (SELECT count(*) FROM settled) AS settled,
            (SELECT count(*) FROM again) + (SELECT count(*) FROM fresh) AS queued,
            (SELECT count(*) FROM examined) < $2
              AND (SELECT count(*) FROM settled) = (SELECT count(*) FROM examined) AS is_over
   ), last AS (
     SELECT created_at, id FROM settled ORDER BY created_at DESC, id DESC LIMIT 1
   )
   UPDATE webhook_replays r
   SET examined = r.examined + c.settled, queued = r.queued + c.queued,
       position_at = coalesce((SELECT created_at FROM last), r.position_at),
       position_id = coalesce((SELECT id FROM last), r.position_id),
       status = CASE WHEN c.is_over THEN 'COMPLETED' ELSE r.status END,
       completed_at = CASE WHEN c.is_over THEN service_now() END
   FROM counted c WHERE r.id = $1
   RETURNING c.queued, c.is_over AS "isOver"`,
  { queued: 0, isOver: true },
);

export const cancelReplay = execute<[id: string]>(
  'webhook-replay-cancel',
  `UPDATE webhook_replays SET status = 'CANCELLED', completed_at = service_now()
   WHERE id = $1`,
);
