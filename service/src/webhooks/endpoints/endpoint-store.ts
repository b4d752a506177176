import type { Executor } from '#database/database.ts';
import { allRows, execute, firstRow, rowCount } from '#database/statements.ts';
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

const FIND = {
  name: 'webhook-endpoint-find',
  text: `SELECT ${COLUMNS} FROM webhook_endpoints e
         WHERE e.merchant_id = $1 AND e.id = $2 AND e.deleted_at IS NULL`,
};

const INSERT = {
  name: 'webhook-endpoint-insert',
  text: `INSERT INTO webhook_endpoints AS e (id, merchant_id, url, event_types, description,
           listener_username, listener_password_encrypted, signing_secret_encrypted, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`,
};

const UPDATE = {
  name: 'webhook-endpoint-update',
  text: `UPDATE webhook_endpoints e SET url = $2, event_types = $3, description = $4, status = $5,
           paused_reason = $6, listener_username = $7, listener_password_encrypted = $8,
           signing_secret_encrypted = $9, previous_signing_secret_encrypted = $10,
           previous_signing_secret_until = $11
         WHERE e.id = $1 RETURNING ${COLUMNS}`,
};

const ROTATE = {
  name: 'webhook-endpoint-rotate-secret',
  text: `UPDATE webhook_endpoints e SET signing_secret_encrypted = $2,
           previous_signing_secret_encrypted =
             CASE WHEN $3::float8 > 0 THEN signing_secret_encrypted END,
           previous_signing_secret_until =
             CASE WHEN $3 > 0 THEN service_now() + make_interval(secs => $3 * 3600) END
         WHERE e.id = $1 RETURNING ${COLUMNS}`,
};

/** A merchant's endpoints, oldest first: so few that they are one page. */
export const listEndpoints = allRows<WebhookEndpoint, [merchantId: string]>(
  'webhook-endpoint-list',
  `SELECT ${COLUMNS} FROM webhook_endpoints e
   WHERE e.merchant_id = $1 AND e.deleted_at IS NULL ORDER BY e.created_at, e.id`,
);

export async function findEndpoint(
  db: Executor,
  merchantId: string,
  id: string,
): Promise<WebhookEndpoint | undefined> {
  return (await db.query<WebhookEndpoint>(FIND, [merchantId, id]))[0];
}

/** Finds an endpoint and holds its row for a change. */
export const lockEndpoint = firstRow<WebhookEndpoint, [merchantId: string, id: string]>(
  'webhook-endpoint-lock',
  `${FIND.text} FOR NO KEY UPDATE`,
);

export type NewEndpointRow = Pick<
  WebhookEndpoint,
  | 'id'
  | 'merchantId'
  | 'url'
  | 'eventTypes'
  | 'description'
  | 'username'
  | 'passwordEncrypted'
  | 'signingSecretEncrypted'
  | 'createdAt'
>;

export async function insertEndpoint(
  tx: Executor,
  endpoint: NewEndpointRow,
): Promise<WebhookEndpoint> {
  const rows = await tx.query<WebhookEndpoint>(INSERT, [
    endpoint.id,
    endpoint.merchantId,
    endpoint.url,
    endpoint.eventTypes,
    endpoint.description,
    endpoint.username,
    endpoint.passwordEncrypted,
    endpoint.signingSecretEncrypted,
    endpoint.createdAt,
  ]);
  return rows[0] as WebhookEndpoint;
}

/** Writes a locked endpoint as it is from now on. */
export async function updateEndpoint(
  tx: Executor,
  endpoint: WebhookEndpoint,
): Promise<WebhookEndpoint> {
  const rows = await tx.query<WebhookEndpoint>(UPDATE, [
    endpoint.id,
    endpoint.url,
    endpoint.eventTypes,
    endpoint.description,
    endpoint.status,
    endpoint.pausedReason,
    endpoint.username,
    endpoint.passwordEncrypted,
    endpoint.signingSecretEncrypted,
    endpoint.previousSigningSecretEncrypted,
    endpoint.previousSigningSecretUntil,
  ]);
  return rows[0] as WebhookEndpoint;
}

/** Gives an endpoint a new secret; the older one signs beside it for so many hours. */
export async function rotateEndpointSecret(
  tx: Executor,
  id: string,
  signingSecretEncrypted: Buffer,
  overlapHours: number,
): Promise<WebhookEndpoint> {
  const values = [id, signingSecretEncrypted, overlapHours];
  return (await tx.query<WebhookEndpoint>(ROTATE, values))[0] as WebhookEndpoint;
}

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
