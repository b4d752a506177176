import type { Executor, Statement } from '#database/database.ts';

/** Counted exactly up to here: a millisecond or two of index entries. */
export const MOST_COUNTED = 1_000;

/** A probe into each of three indexes; a healthy endpoint has no row of failures. */
const FIND: Statement = {
  name: 'webhook-endpoint-health',
  text: `
    SELECT coalesce(w.failures, 0) AS failures, w.opened_at AS "openedAt",
           coalesce(w.probes, 0) AS probes, w.next_probe_at AS "nextProbeAt",
           (SELECT count(*) FROM (
              SELECT FROM webhook_deliveries
              WHERE status = 'PENDING' AND destination = e.id::text
              LIMIT ${MOST_COUNTED}) owed) AS pending,
           (SELECT next_attempt_at FROM webhook_deliveries
            WHERE status = 'PENDING' AND destination = e.id::text AND lease_token IS NULL
              AND next_attempt_at <= service_now()
            ORDER BY next_attempt_at LIMIT 1) AS "oldestDueAt"
    FROM webhook_endpoints e LEFT JOIN webhook_destinations w ON w.destination = e.id::text
    WHERE e.merchant_id = $1 AND e.id = $2`,
};

export interface HealthRow {
  /** In a row. */
  readonly failures: number;
  /** Since when the endpoint is only probed; null: it is not. */
  readonly openedAt: Date | null;
  /** Failed ones, since then. */
  readonly probes: number;
  readonly nextProbeAt: Date | null;
  /** Deliveries that are not over, counted up to `MOST_COUNTED`. */
  readonly pending: number;
  /** Since when the oldest delivery has been due; null: none is due. */
  readonly oldestDueAt: Date | null;
}

export async function findHealth(
  db: Executor,
  merchantId: string,
  endpointId: string,
): Promise<HealthRow | undefined> {
  return (await db.query<HealthRow>(FIND, [merchantId, endpointId]))[0];
}
