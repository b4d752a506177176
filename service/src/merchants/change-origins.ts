import { type AuditedDeps, recordAct } from './audit-log-store.ts';
import { lockKnownMerchant } from './known-merchant.ts';
import { setReturnOrigins, setWebhookOrigins } from './merchant-store.ts';
import { type OriginUse, readOrigins } from './read-origins.ts';

export interface OriginsDeps extends AuditedDeps {
  /** PUBLIC_API_URL is on localhost. */
  readonly isLocal: boolean;
}

export interface OriginsChange {
  readonly merchantId: string;
  readonly use: OriginUse;
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

const USES = {
  webhook: { list: 'webhookOrigins', action: 'WEBHOOK_ORIGINS_CHANGED', save: setWebhookOrigins },
  return: { list: 'returnOrigins', action: 'RETURN_ORIGINS_CHANGED', save: setReturnOrigins },
} as const satisfies Readonly<Record<OriginUse, object>>;

/**
 * Changes the origins that a merchant's webhook URLs and endpoints, or its return URLs, may have in
 * production (contract §4). Payment requests keep the URLs of a removed origin: pending deliveries
 * are still sent, and links back still work.
 *
 * @returns the origins from now on
 * @throws OperatorFault for an unknown merchant, for a text that is no origin, for too many origins
 */
export function changeOrigins(
  { db, clock, isLocal, actor }: OriginsDeps,
  { merchantId, use, add, remove }: OriginsChange,
): Promise<readonly string[]> {
  const rules = { use, isLocal };
  const added = readOrigins(rules, add);
  const removed = readOrigins(rules, remove);
  const { list, action, save } = USES[use];
  return db.transaction(async (tx) => {
    const { [list]: before } = await lockKnownMerchant(tx, merchantId);
    const kept = before.filter((origin) => !removed.includes(origin));
    const origins = readOrigins(rules, [...kept, ...added]);
    if (added.length + removed.length > 0) {
      await save(tx, merchantId, origins);
      await recordAct(tx, { clock, actor }, action, merchantId, { added, removed, before });
    }
    return origins;
  });
}
