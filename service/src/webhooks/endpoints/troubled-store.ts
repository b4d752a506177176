import type { Executor, Statement } from '#database/database.ts';

const MOST_TROUBLED = 50;

const FIND: Statement = {
  name: 'webhook-endpoint-find-troubled',
  text: `
    (SELECT e.id, e.merchant_id AS "merchantId", e.url, 'FAILING' AS state, w.opened_at AS since
     FROM webhook_destinations w JOIN webhook_endpoints e
       ON e.id = CASE WHEN w.destination ~ '^[0-9a-f-]{36}$' THEN w.destination::uuid END
     WHERE w.opened_at IS NOT NULL AND e.status = 'ACTIVE' AND e.deleted_at IS NULL
     ORDER BY w.opened_at LIMIT ${MOST_TROUBLED})
    UNION ALL
    (SELECT e.id, e.merchant_id, e.url, 'PAUSED', NULL
     FROM webhook_endpoints e WHERE e.status = 'PAUSED' AND e.deleted_at IS NULL
     ORDER BY e.id LIMIT ${MOST_TROUBLED})`,
};

export interface TroubledEndpoint {
  readonly id: string;
  readonly merchantId: string;
  readonly url: string;
  /** FAILING: only probed, because deliveries failed. PAUSED: its merchant must resume it. */
  readonly state: 'FAILING' | 'PAUSED';
  /** null: not recorded. */
  readonly since: Date | null;
}

/** Endpoints that get no webhooks now: at most 50 that fail, and 50 that are paused. */
export function findTroubledEndpoints(db: Executor): Promise<TroubledEndpoint[]> {
  return db.query(FIND);
}
