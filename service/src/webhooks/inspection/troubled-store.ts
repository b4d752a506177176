import { allRows } from '#database/statements.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';

const MOST_TROUBLED = 50;

const COLUMNS = `e.id, e.merchant_id AS "merchantId", m.name AS "merchantName", e.url,
  e.description, e.status`;

export interface TroubledEndpoint
  extends Pick<WebhookEndpoint, 'id' | 'merchantId' | 'url' | 'description' | 'status'> {
  readonly merchantName: string;
}

/** Endpoints that get no webhooks now: at most 50 that fail, and 50 that are paused. */
export const findTroubledEndpoints = allRows<TroubledEndpoint>(
  'webhook-endpoint-find-troubled',
  `(SELECT ${COLUMNS}
    FROM webhook_destinations w JOIN webhook_endpoints e
      ON e.id = CASE WHEN w.destination ~ '^[0-9a-f-]{36}$' THEN w.destination::uuid END
    JOIN merchants m ON m.id = e.merchant_id
    WHERE w.opened_at IS NOT NULL AND e.status = 'ACTIVE' AND e.deleted_at IS NULL
    ORDER BY w.opened_at LIMIT ${MOST_TROUBLED})
   UNION ALL
   (SELECT ${COLUMNS} FROM webhook_endpoints e JOIN merchants m ON m.id = e.merchant_id
    WHERE e.status = 'PAUSED' AND e.deleted_at IS NULL
    ORDER BY e.id LIMIT ${MOST_TROUBLED})`,
);
