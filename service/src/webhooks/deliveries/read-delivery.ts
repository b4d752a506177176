import type { Executor } from '#database/database.ts';
import type { WebhookDelivery } from '#webhooks/model/delivery.ts';
import { type DeliveryAttempt, findDeliveryAttempts } from './list-store.ts';
import { findOwnDelivery } from './redeliver.ts';

/** A schedule of 75 hours has eleven attempts; the others are redeliveries and probes. */
const MAX_ATTEMPTS = 100;

/**
 * A merchant's delivery with its latest attempts.
 *
 * @throws Problem WEBHOOK_DELIVERY_NOT_FOUND, also for another merchant's
 */
export async function readDelivery(
  db: Executor,
  merchantId: string,
  id: string,
): Promise<{
  readonly delivery: WebhookDelivery;
  readonly attempts: readonly DeliveryAttempt[];
}> {
  const delivery = await findOwnDelivery(db, merchantId, id);
  return { delivery, attempts: await findDeliveryAttempts(db, delivery.id, MAX_ATTEMPTS) };
}
