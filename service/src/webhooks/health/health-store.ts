import { allRows, firstRowOr } from '#database/statements.ts';

/** Counted exactly up to here, in 2 ms. */
export const MOST_COUNTED = 10_000;
/** Merchants that are owed something; each costs two index probes, 20 µs. */
const MOST_MERCHANTS = 2_000;
/** Deliveries that were given up show for a week. */
export const GIVEN_UP_DAYS = 7;

/** The first id that a delivery of a week ago can have: ids are in the order of time. */
const FIRST_ID = `(lpad(to_hex((extract(epoch FROM service_now()
    - interval '${GIVEN_UP_DAYS} days') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/** States the condition of the index of deliveries that have not succeeded. */
const unsent = (merchant: string, status: string) =>
  `merchant_id = ${merchant} AND merchant_id <> '' AND status = '${status}'
     AND status <> 'SUCCEEDED'`;

const countUnsent = (status: string, condition = '') => `
  (SELECT count(*)::int FROM (
     SELECT FROM webhook_deliveries WHERE ${unsent('$1', status)} ${condition}
     LIMIT ${MOST_COUNTED}) counted)`;

/** How a merchant's webhooks are doing; each count is at most 10,000. */
export interface MerchantWebhooks {
  readonly owed: number;
  /** Deliveries that ended without success in the last week. */
  readonly givenUp: number;
  /** null: nothing is owed. */
  readonly oldestOwedAt: Date | null;
  readonly paused: number;
  readonly failing: number;
}

/** A merchant to whom a webhook has been owed for long. */
export interface OwedMerchant {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly oldestOwedAt: Date;
  readonly owed: number;
}

export type AllWebhooks = Pick<MerchantWebhooks, 'owed' | 'failing' | 'paused'>;

export const findMerchantWebhooks = firstRowOr<MerchantWebhooks, [merchantId: string]>(
  'webhook-health-of-merchant',
  `SELECT ${countUnsent('PENDING')} AS owed,
   ${countUnsent('EXHAUSTED', `AND id >= ${FIRST_ID}`)} AS "givenUp",
   (SELECT created_at FROM webhook_deliveries WHERE ${unsent('$1', 'PENDING')}
    ORDER BY merchant_id, status, id LIMIT 1) AS "oldestOwedAt",
   (SELECT count(*)::int FROM webhook_endpoints e
    WHERE e.merchant_id = $1 AND e.deleted_at IS NULL AND e.status = 'PAUSED') AS paused,
   (SELECT count(*)::int FROM webhook_endpoints e
    JOIN webhook_destinations w ON w.destination = e.id::text AND w.opened_at IS NOT NULL
    WHERE e.merchant_id = $1 AND e.deleted_at IS NULL AND e.status = 'ACTIVE') AS failing`,
  { owed: 0, givenUp: 0, oldestOwedAt: null, paused: 0, failing: 0 },
);

/** Counts a merchant's deliveries that wait, and those that were given up. */
export const countUndelivered = firstRowOr<
  Readonly<Record<'waiting' | 'givenUp', number>>,
  [merchantId: string]
>(
  'webhook-health-count-undelivered',
  `SELECT ${countUnsent('PENDING')} AS waiting, ${countUnsent('EXHAUSTED')} AS "givenUp"`,
  { waiting: 0, givenUp: 0 },
);

/**
 * The merchants whose oldest owed webhook is the oldest.
 *
 * Goes from merchant to merchant in the index, so that no backlog is gone through.
 */
export const findWorstMerchants = allRows<OwedMerchant, [most: number]>(
  'webhook-health-worst',
  `WITH RECURSIVE walked AS (
     (SELECT merchant_id, 1 AS number FROM webhook_deliveries
      WHERE status <> 'SUCCEEDED' AND merchant_id <> '' ORDER BY merchant_id LIMIT 1)
     UNION ALL
     SELECT next.merchant_id, walked.number + 1
     FROM walked, LATERAL (
       SELECT d.merchant_id FROM webhook_deliveries d
       WHERE d.status <> 'SUCCEEDED' AND d.merchant_id <> ''
         AND d.merchant_id > walked.merchant_id
       ORDER BY d.merchant_id LIMIT 1) next
     WHERE walked.number < ${MOST_MERCHANTS}
   ), worst AS MATERIALIZED (
     SELECT walked.merchant_id, oldest.created_at FROM walked, LATERAL (
       SELECT created_at FROM webhook_deliveries
       WHERE ${unsent('walked.merchant_id', 'PENDING')}
       ORDER BY merchant_id, status, id LIMIT 1) oldest
     ORDER BY oldest.created_at LIMIT $1
   )
   SELECT worst.merchant_id AS "merchantId", m.name AS "merchantName",
     worst.created_at AS "oldestOwedAt",
     (SELECT count(*)::int FROM (
        SELECT FROM webhook_deliveries WHERE ${unsent('worst.merchant_id', 'PENDING')}
        LIMIT ${MOST_COUNTED}) counted) AS owed
   FROM worst JOIN merchants m ON m.id = worst.merchant_id ORDER BY worst.created_at`,
);

export const findAllWebhooks = firstRowOr<AllWebhooks>(
  'webhook-health-of-all',
  `SELECT (SELECT count(*)::int FROM (
     SELECT FROM webhook_deliveries WHERE status = 'PENDING'
     ORDER BY destination, next_attempt_at LIMIT ${MOST_COUNTED}) pending) AS owed,
   (SELECT count(*)::int FROM (
      SELECT FROM webhook_destinations WHERE opened_at IS NOT NULL
      LIMIT ${MOST_COUNTED}) failing) AS failing,
   (SELECT count(*)::int FROM (
      SELECT FROM webhook_endpoints WHERE deleted_at IS NULL AND status = 'PAUSED'
      LIMIT ${MOST_COUNTED}) paused) AS paused`,
  { owed: 0, failing: 0, paused: 0 },
);
