import type { Executor } from '#database/database.ts';
import { type Found, MOST_COUNTED } from './delivery-store.ts';

const FIND_STUCK_LEASES = {
  name: 'doctor-find-stuck-leases',
  text: `
    SELECT count(*) AS count, (array_agg(id))[1:5] AS examples FROM (
      SELECT d.id::text
      FROM webhook_deliveries d LEFT JOIN webhook_endpoints e ON e.id = d.endpoint_id
      WHERE d.status = 'PENDING' AND e.status IS DISTINCT FROM 'PAUSED'
        AND d.leased_until < service_now() - make_interval(secs => $1)
      LIMIT ${MOST_COUNTED}) stuck`,
};

/** Every lease there is; each table's rows are few, or the condition has an index. */
const FIND_LONG_LEASES = {
  name: 'doctor-find-long-leases',
  text: `
    WITH latest AS (SELECT service_now() + make_interval(secs => $1) AS at)
    SELECT count(*) AS count, (array_agg(lease))[1:5] AS examples FROM (
      SELECT 'delivery ' || d.id AS lease FROM webhook_deliveries d, latest
      WHERE d.status = 'PENDING' AND d.leased_until > latest.at
      UNION ALL
      SELECT 'destination ' || w.destination FROM webhook_destinations w, latest
      WHERE w.alone_until > latest.at
      UNION ALL
      SELECT 'list stream of ' || s.merchant_id FROM payment_request_streams s, latest
      WHERE s.leased_until > latest.at
      UNION ALL
      SELECT 'sandbox step of ' || s.payment_request_id FROM sandbox_steps s, latest
      WHERE s.done_at IS NULL AND s.claimed_until > latest.at
      LIMIT ${MOST_COUNTED}) long`,
};

/** Deliveries whose lease ended more than `seconds` ago and that no sender claimed again. */
export async function findStuckLeases(db: Executor, seconds: number): Promise<Found> {
  const [row] = await db.query<Found>(FIND_STUCK_LEASES, [seconds]);
  return row ?? { count: 0, examples: null };
}

/** Leases that end later than `seconds` from now. */
export async function findLongLeases(db: Executor, seconds: number): Promise<Found> {
  const [row] = await db.query<Found>(FIND_LONG_LEASES, [seconds]);
  return row ?? { count: 0, examples: null };
}
