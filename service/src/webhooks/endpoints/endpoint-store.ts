import { allRows, execute, firstRow, oneRow, rowCount, valuesOf } from '#database/statements.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';

const COLUMNS = `e.id, e.merchant_id AS "merchantId", e.url, e.event_types AS "eventTypes",
  e.description, e.status, e.paused_reason AS "pausedReason", e.listener_username AS username,
  e.listener_password_encrypted AS "passwordEncrypted",
  e.signing_secret_encrypted AS "signingSecretEncrypted",
  CASE WHEN e.previous_signing_secret_until > service_now()
       THEN e.previous_signing_secret_encrypted END AS "previousSigningSecretEncrypted",
  CASE WHEN e.previous_signing_secret_until > service_now()
       THEN e.previous_signing_secret_until END AS "previousSigningSecretUntil",
  e.created_at AS "createdAt"`;

const FIND = `SELECT ${COLUMNS} FROM webhook_endpoints e
   WHERE e.merchant_id = $1 AND e.id = $2 AND e.deleted_at IS NULL`;
const NOT_RETURNED = 'The database did not return the endpoint.';

/** A merchant's endpoints, oldest first: so few that they are one page. */
export const listEndpoints = allRows<WebhookEndpoint, [merchantId: string]>(
  'webhook-endpoint-list',
  `SELECT ${COLUMNS} FROM webhook_endpoints e
   WHERE e.merchant_id = $1 AND e.deleted_at IS NULL ORDER BY e.created_at, e.id`,
);

export const findEndpoint = firstRow<WebhookEndpoint, [merchantId: string, id: string]>(
  'webhook-endpoint-find',
  FIND,
);

/** Finds an endpoint and holds its row for a change. */
export const lockEndpoint = firstRow<WebhookEndpoint, [merchantId: string, id: string]>(
  'webhook-endpoint-lock',
  `${FIND} FOR NO KEY UPDATE`,
);

const FIRST_FIELDS = [
  'id',
  'merchantId',
  'url',
  'eventTypes',
  'description',
  'username',
  'passwordEncrypted',
  'signingSecretEncrypted',
  'createdAt',
] as const;

export type NewEndpointRow = Pick<WebhookEndpoint, (typeof FIRST_FIELDS)[number]>;

export const insertEndpoint = oneRow<WebhookEndpoint, [endpoint: NewEndpointRow]>(
  'webhook-endpoint-insert',
  `INSERT INTO webhook_endpoints AS e (id, merchant_id, url, event_types, description,
     listener_username, listener_password_encrypted, signing_secret_encrypted, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`,
  NOT_RETURNED,
  valuesOf(...FIRST_FIELDS),
);

/** Writes a locked endpoint as it is from now on. */
export const updateEndpoint = oneRow<WebhookEndpoint, [endpoint: WebhookEndpoint]>(
  'webhook-endpoint-update',
  `UPDATE webhook_endpoints e SET url = $2, event_types = $3, description = $4, status = $5,
     paused_reason = $6, listener_username = $7, listener_password_encrypted = $8,
     signing_secret_encrypted = $9, previous_signing_secret_encrypted = $10,
     previous_signing_secret_until = $11
   WHERE e.id = $1 RETURNING ${COLUMNS}`,
  NOT_RETURNED,
  valuesOf(
    'id',
    'url',
    'eventTypes',
    'description',
    'status',
    'pausedReason',
    'username',
    'passwordEncrypted',
    'signingSecretEncrypted',
    'previousSigningSecretEncrypted',
    'previousSigningSecretUntil',
  ),
);

/** Gives an endpoint a new secret; the older one signs beside it for so many hours. */
export const rotateEndpointSecret = oneRow<
  WebhookEndpoint,
  [id: string, signingSecretEncrypted: Buffer, overlapHours: number]
>(
  'webhook-endpoint-rotate-secret',
  `UPDATE webhook_endpoints e SET signing_secret_encrypted = $2,
     previous_signing_secret_encrypted =
       CASE WHEN $3::float8 > 0 THEN signing_secret_encrypted END,
     previous_signing_secret_until =
       CASE WHEN $3 > 0 THEN service_now() + make_interval(secs => $3 * 3600) END
   WHERE e.id = $1 RETURNING ${COLUMNS}`,
  NOT_RETURNED,
);

/** Marks an endpoint as deleted: nothing more is claimed for it. */
export const deleteEndpoint = execute<[id: string]>(
  'webhook-endpoint-delete',
  `UPDATE webhook_endpoints SET deleted_at = service_now(), status = 'PAUSED'
   WHERE id = $1`,
);

/**
 * Ends what deleted endpoints are still owed, at most so many. @returns how many were ended
 *
 * A delivery that is being sent is left to be recorded; the next look ends it.
 */
export const endDeliveriesOfDeleted = rowCount<[most: number]>(
  'webhook-endpoint-end-deliveries',
  `UPDATE webhook_deliveries d
   SET status = 'EXHAUSTED', ended_because = 'ENDPOINT_DELETED', next_attempt_at = NULL,
       completed_at = service_now(), lease_token = NULL, leased_until = NULL
   WHERE d.id IN (
     SELECT owed.id FROM webhook_endpoints e, LATERAL (
       SELECT id FROM webhook_deliveries
       WHERE status = 'PENDING' AND destination = e.id::text
         AND (leased_until IS NULL OR leased_until <= service_now())
       LIMIT $1 FOR UPDATE SKIP LOCKED) owed
     WHERE e.deleted_at IS NOT NULL LIMIT $1)
   RETURNING d.id`,
);

/**
 * Deliveries that an endpoint is still owed go to its new URL; an attempt under way ends at the old
 * one.
 */
export const moveDeliveries = execute<[id: string, url: string]>(
  'webhook-endpoint-move-deliveries',
  `UPDATE webhook_deliveries SET url = $2
   WHERE status = 'PENDING' AND destination = $1::uuid::text`,
);
