import type { Executor } from '#database/database.ts';

/** Whoever reads a report follows up a few examples first. */
const MOST_EXAMPLES = 5;

const LIST_MIGRATIONS = {
  name: 'doctor-list-migrations',
  text: 'SELECT name FROM schema_migrations ORDER BY name',
};

const LIST_TRANSITIONS = {
  name: 'doctor-list-transitions',
  text: `SELECT from_status AS "from", to_status AS "to" FROM payment_request_transitions`,
};

const READ_CLOCK = {
  name: 'doctor-read-clock',
  text: 'SELECT clock_timestamp() AS now',
};

const LIST_MERCHANT_SECRETS = {
  name: 'doctor-list-merchant-secrets',
  text: `SELECT id, listener_password_encrypted AS "listenerPassword",
           array_remove(ARRAY[signing_secret_encrypted, previous_signing_secret_encrypted], NULL)
             AS "signingSecrets"
         FROM merchants WHERE id > $1 ORDER BY id LIMIT $2`,
};

const LIST_ENDPOINT_SECRETS = {
  name: 'doctor-list-endpoint-secrets',
  text: `SELECT id::text, listener_password_encrypted AS "listenerPassword",
           array_remove(ARRAY[signing_secret_encrypted, previous_signing_secret_encrypted], NULL)
             AS "signingSecrets"
         FROM webhook_endpoints WHERE id > $1 ORDER BY id LIMIT $2`,
};

/**
 * Looks at a batch of payment requests in the order of their ids: each status change whose row of
 * the table names a webhook must have its event, in its place and of its type; and the last change
 * must be the status that the payment request shows. One statement, so one moment. Events of an age
 * at which they are pruned, less an hour for clocks that differ, may be gone.
 */
const AUDIT_OUTBOX = {
  name: 'doctor-audit-outbox',
  text: `
    WITH batch AS MATERIALIZED (
      SELECT id, status FROM payment_requests WHERE id > $1 ORDER BY id LIMIT $2
    ), changes AS (
      SELECT e.payment_request_id AS id, e.position, e.status, e.occurred_at,
             lag(e.status) OVER (PARTITION BY e.payment_request_id ORDER BY e.position)
               AS from_status,
             lead(e.status) OVER (PARTITION BY e.payment_request_id ORDER BY e.position) IS NULL
               AS is_last
      FROM payment_request_events e JOIN batch b ON b.id = e.payment_request_id
    ), owed AS (
      SELECT c.id, t.event_type,
             c.occurred_at > service_now() - make_interval(days => $6, hours => -1) AS is_kept,
             row_number() OVER (PARTITION BY c.id ORDER BY c.position) AS sequence
      FROM changes c
      JOIN unnest($3::text[], $4::text[], $5::text[]) AS t (from_status, to_status, event_type)
        ON t.from_status = c.from_status AND t.to_status = c.status
    ), broken AS (
      SELECT o.id FROM owed o
      LEFT JOIN webhook_events w
        ON w.payment_request_id = o.id AND w.sequence = o.sequence AND NOT w.is_test
      WHERE w.event_type IS DISTINCT FROM o.event_type AND (o.is_kept OR w.id IS NOT NULL)
      UNION
      SELECT b.id FROM batch b LEFT JOIN changes c ON c.id = b.id AND c.is_last
      WHERE c.status IS DISTINCT FROM b.status
    )
    SELECT (SELECT count(*) FROM batch) AS "paymentRequests",
           (SELECT count(*) FROM owed WHERE is_kept) AS "owedEvents",
           (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS "lastId",
           array(SELECT id::text FROM broken ORDER BY id) AS "brokenIds"`,
};

// What a paused endpoint is owed, or an earlier event of the same payment request holds up, waits
// rightly, and until its next probe what a destination is owed that is only probed; what is leased
// is being sent.
const FIND_OVERDUE_DELIVERIES = {
  name: 'doctor-find-overdue-deliveries',
  text: `
    SELECT count(*) AS count, (array_agg(d.id::text))[1:${MOST_EXAMPLES}] AS examples
    FROM webhook_deliveries d
    LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
    LEFT JOIN webhook_destinations w ON w.destination = d.destination
    WHERE d.status = 'PENDING' AND d.lease_token IS NULL
      AND greatest(d.next_attempt_at, w.next_probe_at) < service_now() - make_interval(secs => $1)
      AND e.status IS DISTINCT FROM 'PAUSED'
      AND NOT EXISTS (
        SELECT FROM webhook_deliveries earlier
        WHERE earlier.payment_request_id = d.payment_request_id
          AND (earlier.url = d.url OR earlier.endpoint_id = d.endpoint_id)
          AND earlier.sequence < d.sequence AND earlier.sequence > 0
          AND earlier.next_attempt_at IS NOT NULL)`,
};

const FIND_STUCK_LEASES = {
  name: 'doctor-find-stuck-leases',
  text: `
    SELECT count(*) AS count, (array_agg(d.id::text))[1:${MOST_EXAMPLES}] AS examples
    FROM webhook_deliveries d LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
    WHERE d.status = 'PENDING' AND e.status IS DISTINCT FROM 'PAUSED'
      AND d.leased_until < service_now() - make_interval(secs => $1)`,
};

// No transaction that this server has begun can have such a number: a dump brought it.
const COUNT_EVENTS_AHEAD = {
  name: 'doctor-count-events-ahead',
  text: `
    SELECT count(*) AS count FROM webhook_events
    WHERE transaction_id::text::bigint
            >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
};

export async function listMigrations(db: Executor): Promise<string[]> {
  return (await db.query<{ name: string }>(LIST_MIGRATIONS)).map(({ name }) => name);
}

export function listTransitions(db: Executor): Promise<{ from: string; to: string }[]> {
  return db.query(LIST_TRANSITIONS);
}

/** The database's own time. */
export async function readDatabaseClock(db: Executor): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(READ_CLOCK);
  return row?.now ?? new Date(Number.NaN);
}

/** The boxed secrets of a merchant or an endpoint. */
export interface StoredSecrets {
  readonly id: string;
  readonly listenerPassword: Buffer;
  readonly signingSecrets: readonly Buffer[];
}

/** A page of merchants' secrets in the order of their ids; `after` is '' for the first. */
export function listMerchantSecrets(
  db: Executor,
  after: string,
  limit: number,
): Promise<StoredSecrets[]> {
  return db.query(LIST_MERCHANT_SECRETS, [after, limit]);
}

/** The same of endpoints; `after` is the nil UUID for the first page. */
export function listEndpointSecrets(
  db: Executor,
  after: string,
  limit: number,
): Promise<StoredSecrets[]> {
  return db.query(LIST_ENDPOINT_SECRETS, [after, limit]);
}

export interface OutboxBatch {
  readonly paymentRequests: number;
  readonly owedEvents: number;
  /** `null` when there was nothing after the id given. */
  readonly lastId: string | null;
  readonly brokenIds: readonly string[];
}

/**
 * Audits up to `limit` payment requests after an id.
 * @param owing    the moves that owe an event
 * @param keptDays how long events are kept
 */
export async function auditOutbox(
  db: Executor,
  after: string,
  limit: number,
  owing: readonly { readonly from: string; readonly to: string; readonly eventType: string }[],
  keptDays: number,
): Promise<OutboxBatch> {
  const [row] = await db.query<OutboxBatch>(AUDIT_OUTBOX, [
    after,
    limit,
    owing.map(({ from }) => from),
    owing.map(({ to }) => to),
    owing.map(({ eventType }) => eventType),
    keptDays,
  ]);
  return row ?? { paymentRequests: 0, owedEvents: 0, lastId: null, brokenIds: [] };
}

export interface Found {
  readonly count: number;
  /** A few ids; `null` where there is none. */
  readonly examples: readonly string[] | null;
}

/** Deliveries due for longer than `seconds` that nobody is sending though somebody should. */
export async function findOverdueDeliveries(db: Executor, seconds: number): Promise<Found> {
  const [row] = await db.query<Found>(FIND_OVERDUE_DELIVERIES, [seconds]);
  return row ?? { count: 0, examples: null };
}

/** Deliveries whose lease ended more than `seconds` ago and that nobody claimed again. */
export async function findStuckLeases(db: Executor, seconds: number): Promise<Found> {
  const [row] = await db.query<Found>(FIND_STUCK_LEASES, [seconds]);
  return row ?? { count: 0, examples: null };
}

/** How many events have a place in the feed that this database server has not reached. */
export async function countEventsAhead(db: Executor): Promise<number> {
  return (await db.query<{ count: number }>(COUNT_EVENTS_AHEAD))[0]?.count ?? 0;
}
