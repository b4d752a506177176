import type { Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import { notFound } from '#lib/words/not-found.ts';
import type { WebhookDelivery } from '#webhooks/model/delivery.ts';
import { forgetFailures } from '#webhooks/sending/destination-store.ts';
import { giveBack, releaseOrigins } from '#webhooks/sending/hold-store.ts';
import { findDelivery, lockDelivery, queueAgain } from './list-store.ts';

/** @throws Problem WEBHOOK_DELIVERY_NOT_FOUND, also for another merchant's */
export async function findOwnDelivery(
  db: Executor,
  merchantId: string,
  id: string,
): Promise<WebhookDelivery> {
  const found = isId(id) ? await findDelivery(db, merchantId, id) : undefined;
  if (!found) throw notFound('WEBHOOK_DELIVERY_NOT_FOUND', id);
  return found;
}

/**
 * Sends a delivery again, in any status: the same webhook-id, the same bytes, with the whole
 * schedule before it. A delivery that is being sent at this moment is left to that. To a paused
 * endpoint it is held like everything else.
 *
 * @throws Problem WEBHOOK_DELIVERY_NOT_FOUND, ERASED, WEBHOOK_ENDPOINT_DELETED
 */
export async function redeliver(
  tx: Executor,
  merchantId: string,
  id: string,
): Promise<WebhookDelivery> {
  const delivery = isId(id) ? await lockDelivery(tx, merchantId, id) : undefined;
  if (!delivery) throw notFound('WEBHOOK_DELIVERY_NOT_FOUND', id);
  if (delivery.isErased) throw new Problem('ERASED');
  if (delivery.isEndpointDeleted) throw new Problem('WEBHOOK_ENDPOINT_DELETED');
  const queued = await queueAgain(tx, delivery.id);
  // The caller says that the listener can take it now.
  if (queued) await forgetListener(tx, queued);
  return findOwnDelivery(tx, merchantId, delivery.id);
}

/** Lets held deliveries flow at once; more than 1,000 of them within the next minutes. */
async function forgetListener(
  tx: Executor,
  { destination, urlKey }: { readonly destination: string; readonly urlKey: string | null },
): Promise<void> {
  await forgetFailures(tx, [destination]);
  if (urlKey === null) return;
  await forgetFailures(tx, [urlKey]);
  await giveBack(tx, [urlKey, ...(await releaseOrigins(tx, [destination]))]);
}
