import type { Database, Executor } from '#database/database.ts';
import { auditEndpoint } from './change.ts';
import { deleteEndpoint, endDeliveriesOfDeleted } from './endpoint-store.ts';
import { lockOwnEndpoint } from './find-own.ts';
import type { EndpointChangeDeps } from './register.ts';

/** A few tens of milliseconds' work; a paused endpoint may be owed far more. */
const BATCH = 500;

/**
 * Deletes an endpoint: nothing more is sent to it, what it was sent stays readable, and what it is
 * owed ends as EXHAUSTED.
 *
 * @throws Problem WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function removeEndpoint(
  tx: Executor,
  deps: EndpointChangeDeps,
  merchantId: string,
  id: string,
): Promise<void> {
  const endpoint = await lockOwnEndpoint(tx, merchantId, id);
  await deleteEndpoint(tx, endpoint.id);
  await endDeliveriesOfDeleted(tx, BATCH);
  await auditEndpoint(tx, deps, endpoint, 'WEBHOOK_ENDPOINT_DELETED', {
    origin: new URL(endpoint.url).origin,
  });
}

/**
 * Ends what deleted endpoints are still owed, one small batch: what the deletion left, what was
 * being sent then, and what a transaction wrote that began before it.
 *
 * @returns whether more may be left
 */
export async function endDeletedDeliveries(db: Database): Promise<boolean> {
  return (await endDeliveriesOfDeleted(db, BATCH)) === BATCH;
}
