import type { Executor, Statement } from '#database/database.ts';
import { ALL_MERCHANTS, COUNTERS, type CounterSums, NO_SUMS } from './model/counters.ts';
import type { TimeClass } from './model/time-classes.ts';

/** A merchant has a row for each quarter in which something happened: 2,976 in 31 days at most. */
const SUM_SLOTS: Statement = {
  name: 'payment-counters-sum-slots',
  text: `SELECT width_bucket(quarter, $3::timestamptz[]) AS slot,
           ${COUNTERS.map((name) => `sum(${name})::float8 AS ${name}`).join(', ')}
         FROM payment_counters
         WHERE merchant_id = $1 AND quarter >= ($3::timestamptz[])[1] AND quarter < $2
         GROUP BY slot`,
};

/** The merchants of the latest events: 100 quarters of each at most, however many there are. */
const SUM_MERCHANTS: Statement = {
  name: 'payment-counters-sum-merchants',
  text: `SELECT merchant_id AS "merchantId",
           ${COUNTERS.map((name) => `sum(${name})::float8 AS ${name}`).join(', ')}
         FROM payment_counters JOIN (
           SELECT merchant_id FROM payment_counter_versions
           WHERE merchant_id <> '${ALL_MERCHANTS}'
           ORDER BY version DESC, merchant_id LIMIT $3) latest USING (merchant_id)
         WHERE quarter >= $1 AND quarter < $2
         GROUP BY merchant_id ORDER BY sum(created) DESC, merchant_id`,
};

const FIND_TIMES: Statement = {
  name: 'payment-counters-find-times',
  text: `SELECT time_class AS "timeClass", sum(paid)::float8 AS paid
         FROM payment_counter_times
         WHERE merchant_id = $1 AND quarter >= $2 AND quarter < $3
         GROUP BY time_class`,
};

const FIND_PROGRESS: Statement = {
  name: 'payment-counters-find-progress',
  text: `SELECT version::float8, history_ended_at IS NOT NULL AS "hasHistory"
         FROM payment_counter_progress`,
};

const FIND_VERSIONS: Statement = {
  name: 'payment-counters-find-versions',
  text: `SELECT asked.id AS "merchantId", coalesce(v.version, 0)::float8 AS version
         FROM unnest($1::text[]) AS asked (id)
         LEFT JOIN payment_counter_versions v ON v.merchant_id = asked.id`,
};

const prune = (table: string): Statement => ({
  name: `payment-counters-prune-${table}`,
  text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${table} WHERE quarter < service_now() - make_interval(days => $1)
           ORDER BY quarter LIMIT $2)) RETURNING 1`,
});
const PRUNES = [prune('payment_counters'), prune('payment_counter_times')];

/** A span of time: `from` inclusive, `to` exclusive. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

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
  type Row = CounterSums & { readonly slot: number };
  const rows = await db.query<Row>(SUM_SLOTS, [merchantId, to, starts]);
  const bySlot = new Map(rows.map(({ slot, ...sums }) => [slot, sums]));
  return starts.map((_, index) => bySlot.get(index + 1) ?? NO_SUMS);
}

export interface MerchantSums extends CounterSums {
  readonly merchantId: string;
}

/** The sums of the `most` merchants of the latest events; most payment requests first. */
export function sumMerchants(
  db: Executor,
  { from, to }: Span,
  most: number,
): Promise<MerchantSums[]> {
  return db.query<MerchantSums>(SUM_MERCHANTS, [from, to, most]);
}

/** How many payments of a span took how long. */
export function findTimes(db: Executor, merchantId: string, span: Span): Promise<TimeClass[]> {
  return db.query<TimeClass>(FIND_TIMES, [merchantId, span.from, span.to]);
}

/** Whether the rows of a restored dump are counted; true where there are none. */
export async function isHistoryCounted(db: Executor): Promise<boolean> {
  const [row] = await db.query<{ hasHistory: boolean }>(FIND_PROGRESS);
  return row?.hasHistory ?? false;
}

/** The latest runs that counted something of these merchants; 0: none did. */
export async function findCounterVersions(
  db: Executor,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  type Row = { merchantId: string; version: number };
  const rows = await db.query<Row>(FIND_VERSIONS, [merchantIds]);
  return new Map(rows.map(({ merchantId, version }) => [merchantId, version]));
}

/** Deletes up to `limit` rows of each table that are older than so many days. @returns the most */
export async function deleteOldCounters(
  db: Executor,
  days: number,
  limit: number,
): Promise<number> {
  let most = 0;
  for (const statement of PRUNES) {
    most = Math.max(most, (await db.query(statement, [days, limit])).length);
  }
  return most;
}
