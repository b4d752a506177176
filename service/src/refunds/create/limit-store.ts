import type { Executor, Statement } from '#database/database.ts';
import { execute } from '#database/statements.ts';

const FIND: Statement = {
  name: 'refund-find-limits',
  text: `SELECT m.id, m.refunds_per_day_cents AS "limitCents", today.day,
           coalesce(d.cents, 0) AS "countedCents"
         FROM (SELECT ($2::timestamptz AT TIME ZONE $3)::date AS day) today
         JOIN merchants m
           ON m.id IN (SELECT json_array_elements_text($1::json) COLLATE "C")
         LEFT JOIN refund_days d ON d.merchant_id = m.id AND d.day = today.day`,
};

/** Equals the `lock_timeout` of every statement; see `database/`. */
const LONGEST_LOCK_WAIT_MS = 5_000;

/**
 * Lets one transaction at a time create refunds of a merchant: two at once can neither exceed the
 * limit of a day nor use a merchantRefundId twice.
 *
 * In the order of the keys, so that two transactions with the same merchants cannot deadlock.
 * PostgreSQL runs the sub-select once, before the first lock. The setting ends with the
 * transaction.
 */
export const lockRefundsOfMerchants = execute(
  'refund-lock-merchants',
  `SELECT pg_advisory_xact_lock(key) FROM (
     SELECT DISTINCT hashtextextended('refunds of ' || value, 0) AS key
     FROM json_array_elements_text($1::json) ORDER BY key) AS keys
   WHERE (SELECT set_config('lock_timeout', $2, true)) IS NOT NULL`,
  (merchantIds: readonly string[], lockWaitMs: number = LONGEST_LOCK_WAIT_MS) => [
    JSON.stringify(merchantIds),
    `${lockWaitMs}ms`,
  ],
);

export interface DayLimit {
  /** The merchant. */
  readonly id: string;
  /** 0: refunds are off. */
  readonly limitCents: number;
  /** The day at `now`, as in `2026-03-01`. */
  readonly day: string;
  /** The refunds of the day that have not failed. */
  readonly countedCents: number;
}

/** The limits of merchants, and what counts for them on the day of `now`. */
export async function findDayLimits(
  tx: Executor,
  merchantIds: readonly string[],
  now: Date,
  timeZone: string,
): Promise<ReadonlyMap<string, DayLimit>> {
  const values = [JSON.stringify(merchantIds), now, timeZone];
  const rows = await tx.query<DayLimit>(FIND, values);
  return new Map(rows.map((row) => [row.id, row]));
}
