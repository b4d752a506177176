import { rowCount } from '#database/statements.ts';
import { FIRST_ATTEMPT_COLUMNS } from '#webhooks/model/first-attempt.ts';

/**
 * Ends at most `limit` deliveries without an endpoint of that age. Returns how many.
 *
 * A URL without an endpoint cannot be resumed; a paused endpoint's deliveries stay held.
 */
export const endUnsent = rowCount<[days: number, limit: number]>(
  'webhook-retention-end-unsent',
  `UPDATE webhook_deliveries
   SET status = 'EXHAUSTED', ended_because = 'RETENTION_ENDED', next_attempt_at = NULL,
       completed_at = service_now(), lease_token = NULL, leased_until = NULL
   WHERE id IN (
     SELECT d.id FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id
     WHERE e.created_at <= service_now() - make_interval(days => $1)
       AND d.status = 'PENDING' AND d.attempts = 0 AND d.endpoint_id IS NULL
       AND (d.leased_until IS NULL OR d.leased_until <= service_now())
     ORDER BY e.created_at LIMIT $2 FOR UPDATE OF d SKIP LOCKED)
   RETURNING 1`,
);

/**
 * Deletes at most `limit` events of that age with their deliveries. Returns how many events.
 *
 * The statement never waits: an event or a delivery that is locked is left for the next run. The
 * lock reads a delivery's latest version, so a delivery that is sent again meanwhile keeps its
 * event. A delivery that is queued meanwhile fails the whole statement, which is then retried.
 */
export const pruneEvents = rowCount<[days: number, limit: number]>(
  'webhook-retention-prune-events',
  `WITH old AS MATERIALIZED (
     SELECT e.id FROM webhook_events e
     WHERE e.created_at <= service_now() - make_interval(days => $1)
       AND NOT EXISTS (
         SELECT FROM webhook_deliveries d WHERE d.event_id = e.id AND d.status = 'PENDING')
     ORDER BY e.created_at LIMIT $2
     FOR UPDATE OF e SKIP LOCKED
   ), over AS MATERIALIZED (
     SELECT d.id, d.status FROM webhook_deliveries d WHERE d.event_id IN (SELECT id FROM old)
     FOR UPDATE OF d SKIP LOCKED
   ), gone AS MATERIALIZED (
     SELECT id FROM old WHERE NOT EXISTS (
       SELECT FROM webhook_deliveries d WHERE d.event_id = old.id
         AND d.id NOT IN (SELECT id FROM over WHERE status <> 'PENDING'))
   ), deliveries AS (
     DELETE FROM webhook_deliveries WHERE event_id IN (SELECT id FROM gone)
   )
   DELETE FROM webhook_events WHERE id IN (SELECT id FROM gone) RETURNING 1`,
);

/**
 * Deletes at most `limit` attempts of that age. Returns how many.
 *
 * Prunes attempts of deliveries that live on; those of the others go with them.
 */
export const pruneAttempts = rowCount<[days: number, limit: number]>(
  'webhook-retention-prune-attempts',
  `DELETE FROM webhook_attempts WHERE (delivery_id, attempt) IN (
     SELECT delivery_id, attempt FROM webhook_attempts
     WHERE started_at <= service_now() - make_interval(days => $1)
     ORDER BY started_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);

/**
 * Prunes at most `limit` attempts of that age in the rows of deliveries. Returns how many.
 *
 * Prunes first attempts that stand in the rows of deliveries. Such a delivery lives on for as long
 * as its event, which lives on for another delivery; an event of that age is rare.
 */
export const pruneFirstAttempts = rowCount<[days: number, limit: number]>(
  'webhook-retention-prune-first-attempts',
  `UPDATE webhook_deliveries
   SET ${Object.keys(FIRST_ATTEMPT_COLUMNS)
     .map((column) => `${column} = NULL`)
     .join(', ')}
   WHERE id IN (
     SELECT d.id FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id
     WHERE e.created_at <= service_now() - make_interval(days => $1)
       AND d.first_started_at <= service_now() - make_interval(days => $1)
     ORDER BY e.created_at LIMIT $2 FOR UPDATE OF d SKIP LOCKED)
   RETURNING 1`,
);
