import type { Executor } from '#database/database.ts';
import { allRows, firstValue, rowCount, valuesByKey } from '#database/statements.ts';
import { ALL_MERCHANTS, COUNTERS, type CounterSums, NO_SUMS } from './model/counters.ts';
import type { TimeClass } from './model/time-classes.ts';

/** A span of time: `from` inclusive, `to` exclusive. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

const SUMS = COUNTERS.map((name) => `sum(${name})::float8 AS ${name}`).join(', ');

/** A merchant has a row for each quarter in which something happened: 2,976 in 31 days at most. */
const findSlots = allRows<
  CounterSums & { readonly slot: number },
  [merchantId: string, to: Date, starts: readonly Date[]]
>(
  'payment-counters-sum-slots',
  `SELECT width_bucket(quarter, $3::timestamptz[]) AS slot,
     ${SUMS}
   FROM payment_counters
   WHERE merchant_id = $1 AND quarter >= ($3::timestamptz[])[1] AND quarter < $2
   GROUP BY slot`,
);

/**
 * The sums of a merchant by slot: each begins at its instant and ends where the next one begins.
 *
 * @param to the end of the last slot
 */
export async function sumSlots(
  db: Executor,
  merchantId: string,
  starts: readonly Date[],
  to: Date,
): Promise<CounterSums[]> {
  const rows = await findSlots(db, merchantId, to, starts);
  const bySlot = new Map(rows.map(({ slot, ...sums }) => [slot, sums]));
  return starts.map((_, index) => bySlot.get(index + 1) ?? NO_SUMS);
}

export interface MerchantSums extends CounterSums {
  readonly merchantId: string;
}

/**
 * The sums of the `most` merchants of the latest events; most payment requests first.
 *
 * Reads 100 quarters of each merchant at most, however many merchants there are.
 */
export const sumMerchants = allRows<MerchantSums, [span: Span, most: number]>(
  'payment-counters-sum-merchants',
  `SELECT merchant_id AS "merchantId",
     ${SUMS}
   FROM payment_counters JOIN (
     SELECT merchant_id FROM payment_counter_versions
     WHERE merchant_id <> '${ALL_MERCHANTS}'
     ORDER BY version DESC, merchant_id LIMIT $3) latest USING (merchant_id)
   WHERE quarter >= $1 AND quarter < $2
   GROUP BY merchant_id ORDER BY sum(created) DESC, merchant_id`,
  ({ from, to }, most) => [from, to, most],
);

/** How many payments of a span took how long. */
export const findTimes = allRows<TimeClass, [merchantId: string, span: Span]>(
  'payment-counters-find-times',
  `SELECT time_class AS "timeClass", sum(paid)::float8 AS paid
   FROM payment_counter_times
   WHERE merchant_id = $1 AND quarter >= $2 AND quarter < $3
   GROUP BY time_class`,
  (merchantId, { from, to }) => [merchantId, from, to],
);

/** Whether the rows of a restored dump are counted; true where there are none. */
export const isHistoryCounted = firstValue<boolean>(
  'payment-counters-find-progress',
  'SELECT history_ended_at IS NOT NULL AS "hasHistory" FROM payment_counter_progress',
  false,
);

/** The latest runs that counted something of these merchants; 0: none did. */
export const findCounterVersions = valuesByKey<string, number, [merchantIds: readonly string[]]>(
  'payment-counters-find-versions',
  `SELECT asked.id AS "merchantId", coalesce(v.version, 0)::float8 AS version
   FROM unnest($1::text[]) AS asked (id)
   LEFT JOIN payment_counter_versions v ON v.merchant_id = asked.id`,
);

const PRUNES = ['payment_counters', 'payment_counter_times'].map((table) =>
  rowCount<[days: number, limit: number]>(
    `payment-counters-prune-${table}`,
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${table} WHERE quarter < service_now() - make_interval(days => $1)
       ORDER BY quarter LIMIT $2)) RETURNING 1`,
  ),
);

/** Deletes up to `limit` rows of each table that are older than so many days. @returns the most */
export async function deleteOldCounters(
  db: Executor,
  days: number,
  limit: number,
): Promise<number> {
  let most = 0;
  for (const prune of PRUNES) most = Math.max(most, await prune(db, days, limit));
  return most;
}
