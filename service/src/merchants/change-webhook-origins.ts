import type { Database } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { insertAuditEntry } from './audit-log-store.ts';
import { lockKnownMerchant } from './lock-known-merchant.ts';
import { setWebhookOrigins } from './merchant-store.ts';
import { readWebhookOrigins } from './read-webhook-origins.ts';

export interface WebhookOriginsDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** The operator, for the audit log. */
  readonly actor: string;
}

export interface WebhookOriginsChange {
  readonly merchantId: string;
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/**
 * Changes the origins that a merchant's webhook URLs and endpoints may have in production (contract
 * §4). Pending deliveries to a removed origin are still sent.
 *
 * @returns the origins from now on
 * @throws OperatorFault for an unknown merchant, for a text that is not an HTTPS origin, for too
 * many origins
 */
export function changeWebhookOrigins(
  { db, clock, actor }: WebhookOriginsDeps,
  { merchantId, add, remove }: WebhookOriginsChange,
): Promise<{ readonly merchantId: string; readonly webhookOrigins: readonly string[] }> {
  const added = readWebhookOrigins(add, null);
  const removed = readWebhookOrigins(remove, null);
  return db.transaction(async (tx) => {
    const { webhookOrigins: before } = await lockKnownMerchant(tx, merchantId);
    const kept = before.filter((origin) => !removed.includes(origin));
    const webhookOrigins = readWebhookOrigins([...kept, ...added], null);
    if (added.length + removed.length > 0) {
      await setWebhookOrigins(tx, merchantId, webhookOrigins);
      await insertAuditEntry(tx, {
        actor,
        action: 'WEBHOOK_ORIGINS_CHANGED',
        merchantId,
        details: { added, removed },
        occurredAt: clock.now(),
      });
    }
    return { merchantId, webhookOrigins };
  });
}
