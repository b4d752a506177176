import { firstValue } from '#database/statements.ts';

/** A restored dump has all of its events ahead; more need not be counted. */
const MOST_COUNTED = 100_000;

/**
 * How many events have a place in the feed that this database server has not reached.
 *
 * No transaction that this server has begun can have such a number: a dump brought it. Read off the
 * end of webhook_events_by_transaction, so that the cost is that of the events found.
 */
export const countEventsAhead = firstValue<number>(
  'doctor-count-events-ahead',
  `SELECT count(*) AS count FROM (
     SELECT FROM webhook_events
     WHERE transaction_id::text::bigint
             >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
     LIMIT ${MOST_COUNTED}) ahead`,
  0,
);
