import type { Executor } from '#database/database.ts';

/** A restored dump has all of its events ahead; more need not be counted. */
const MOST_COUNTED = 100_000;

// No transaction that this server has begun can have such a number: a dump brought it. Read off the
// end of webhook_events_by_transaction, so that the cost is that of the events found.
const COUNT_EVENTS_AHEAD = {
  name: 'doctor-count-events-ahead',
  text: `
    SELECT count(*) AS count FROM (
      SELECT FROM webhook_events
      WHERE transaction_id::text::bigint
              >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      LIMIT ${MOST_COUNTED}) ahead`,
};

/** How many events have a place in the feed that this database server has not reached. */
export async function countEventsAhead(db: Executor): Promise<number> {
  return (await db.query<{ count: number }>(COUNT_EVENTS_AHEAD))[0]?.count ?? 0;
}
