import { columnsOf } from '#database/columns.ts';
import type { Executor } from '#database/database.ts';
import type { ClaimedDelivery } from './claim-store.ts';

// A released delivery that was sent alone lets the next one go.
const RELEASE = {
  name: 'webhook-delivery-release',
  text: `WITH released AS (
           UPDATE webhook_deliveries d
           SET lease_token = NULL, leased_until = NULL,
               next_attempt_at = CASE WHEN $4 = 0 THEN next_attempt_at
                                      ELSE service_now() + make_interval(secs => $4) END
           FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS r (id, lease_token, alone_at)
           WHERE d.id = r.id AND d.lease_token = r.lease_token
           RETURNING r.alone_at)
         UPDATE webhook_destinations SET alone_until = NULL
         WHERE destination IN (SELECT alone_at FROM released)`,
};

/** Gives leases back without an attempt; the deliveries fall due `delaySeconds` from now. */
export async function releaseDeliveries(
  db: Executor,
  deliveries: readonly Pick<ClaimedDelivery, 'id' | 'leaseToken' | 'serialisedAt'>[],
  delaySeconds: number,
): Promise<void> {
  if (deliveries.length === 0) return;
  await db.query(RELEASE, [
    ...columnsOf(deliveries)('id', 'leaseToken', 'serialisedAt'),
    delaySeconds,
  ]);
}
