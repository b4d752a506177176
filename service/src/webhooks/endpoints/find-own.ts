import type { Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import { notFound } from '#lib/words/not-found.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { findEndpoint, lockEndpoint } from './endpoint-store.ts';

/** @throws Problem WEBHOOK_ENDPOINT_NOT_FOUND, also for another merchant's and a deleted one */
export async function findOwnEndpoint(
  db: Executor,
  merchantId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const found = isId(id) ? await findEndpoint(db, merchantId, id) : undefined;
  if (!found) throw notFound('WEBHOOK_ENDPOINT_NOT_FOUND', id);
  return found;
}

/** Finds an endpoint as `findOwnEndpoint` does, and locks the row for a change. */
export async function lockOwnEndpoint(
  tx: Executor,
  merchantId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const found = isId(id) ? await lockEndpoint(tx, merchantId, id) : undefined;
  if (!found) throw notFound('WEBHOOK_ENDPOINT_NOT_FOUND', id);
  return found;
}
