import type { Executor, Statement } from '#database/database.ts';
import { isInProgress, isOpen, sqlListOf } from '#payment-requests/model/statuses.ts';
import { type Found, MOST_COUNTED } from './consistency/delivery-store.ts';

// A payment that has yet to be reported is not over; a request whose expiry has passed is not open.
const FIND_UNPAYABLE: Statement = {
  name: 'doctor-find-unpayable',
  text: `
    SELECT count(*) AS count, (array_agg(id))[1:5] AS examples FROM (
      SELECT p.id::text FROM payment_requests p
      JOIN network_requests n ON n.payment_request_id = p.id
      JOIN gateway_payments g ON g.payment_request_id = p.id
      WHERE p.status IN (${sqlListOf(isOpen)}) AND p.expires_at > service_now()
        AND n.payment_over_at IS NULL
        AND g.state IN ('CANCELLED', 'REFUSED', 'SETTLED') AND g.report_due_at IS NULL
      ORDER BY p.id LIMIT ${MOST_COUNTED}) unpayable`,
};

const FIND_UNWATCHED: Statement = {
  name: 'doctor-find-unwatched',
  text: `
    SELECT count(*) AS count, (array_agg(id))[1:5] AS examples FROM (
      SELECT p.id::text FROM payment_requests p
      JOIN network_requests n ON n.payment_request_id = p.id
      WHERE (p.status IN (${sqlListOf(isInProgress)})
             OR p.status IN (${sqlListOf(isOpen)}) AND p.expires_at > service_now())
        AND (n.next_look_at IS NULL
             OR n.next_look_at < service_now() - make_interval(secs => $1))
      ORDER BY p.id LIMIT ${MOST_COUNTED}) unwatched`,
};

/** Open payment requests whose payment in the simulated network's books is over, unnoticed. */
export async function findUnpayable(db: Executor): Promise<Found> {
  const [row] = await db.query<Found>(FIND_UNPAYABLE);
  return row ?? { count: 0, examples: null };
}

/** Payment requests whose state the network should be asked for, and that no loop looks at. */
export async function findUnwatched(db: Executor, overdueSeconds: number): Promise<Found> {
  const [row] = await db.query<Found>(FIND_UNWATCHED, [overdueSeconds]);
  return row ?? { count: 0, examples: null };
}
