import type { Executor, Statement } from '#database/database.ts';
import { NIL_PAYMENT_REQUEST } from '#webhooks/model/delivery.ts';

/** A page of a terminal or two; an operator with more looks at the dashboard first. */
const MOST = 100;

const LIST_PAUSED: Statement = {
  name: 'notices-list-paused',
  text: `SELECT e.merchant_id AS "merchantId", e.id::text AS "endpointId", e.url,
           e.paused_reason AS reason,
           (SELECT count(*) FROM webhook_deliveries d
            WHERE d.destination = e.id::text AND d.status = 'PENDING') AS held
         FROM webhook_endpoints e WHERE e.status = 'PAUSED' AND e.deleted_at IS NULL
         ORDER BY e.merchant_id, e.id LIMIT ${MOST}`,
};

const LIST_FAILING: Statement = {
  name: 'notices-list-failing',
  text: `SELECT coalesce(split_part(origin, ' ', 1) || ' ' || url, destination) AS destination,
           failures, opened_at AS "failingSince", next_probe_at AS "nextProbeAt"
         FROM webhook_destinations WHERE opened_at IS NOT NULL ORDER BY opened_at LIMIT ${MOST}`,
};

// Neither a test that failed nor what a merchant gave up with its endpoint is anybody's to repair.
const LIST_EXHAUSTED: Statement = {
  name: 'notices-list-exhausted',
  text: `SELECT merchant_id AS "merchantId", url, count(*) AS deliveries,
           max(completed_at) AS "lastAt"
         FROM webhook_deliveries
         WHERE status = 'EXHAUSTED' AND completed_at > service_now() - make_interval(days => $1)
           AND payment_request_id <> '${NIL_PAYMENT_REQUEST}'
           AND ended_because IS DISTINCT FROM 'ENDPOINT_DELETED'
         GROUP BY merchant_id, url ORDER BY max(completed_at) DESC LIMIT ${MOST}`,
};

export interface Notices {
  readonly paused: readonly {
    readonly merchantId: string;
    readonly endpointId: string;
    readonly url: string;
    readonly reason: string | null;
    /** Deliveries that wait for it. */
    readonly held: number;
  }[];
  readonly failing: readonly {
    /** An endpoint, or a merchant with an origin or a URL. */
    readonly destination: string;
    readonly failures: number;
    readonly failingSince: Date;
    readonly nextProbeAt: Date | null;
  }[];
  readonly exhausted: readonly {
    readonly merchantId: string;
    readonly url: string;
    readonly deliveries: number;
    readonly lastAt: Date;
  }[];
}

/** How endpoints and deliveries stand: what was given up within the last `days`. */
export async function readNotices(db: Executor, days: number): Promise<Notices> {
  return {
    paused: await db.query(LIST_PAUSED),
    failing: await db.query(LIST_FAILING),
    exhausted: await db.query(LIST_EXHAUSTED, [days]),
  };
}
