import type { Executor, Statement } from '#database/database.ts';
import { execute, firstRowOrNull, hasRows } from '#database/statements.ts';
import type { RequestPlace } from './request-store.ts';

/** How many rows of each table a run has deleted. */
export type Deleted = Readonly<Record<string, number>>;

/** A run that is under way; its place is that of the last payment request that it looked at. */
export interface RetentionRun extends RequestPlace {
  readonly horizon: Date;
  readonly actor: string;
  /** The kind of rows that the run deletes at the moment. */
  readonly phase: number;
  readonly deleted: Deleted;
  /** Payment requests of that age that something keeps. */
  readonly kept: number;
}

const COLUMNS = `horizon, actor, phase, merchant_id AS "merchantId",
  reached_at::text AS "reachedAt", reached_id AS "reachedId", deleted, kept::int AS kept`;

const FIND_HORIZON: Statement = {
  name: 'retention-find-horizon',
  text: `SELECT service_now() - make_interval(years => $1) AS horizon`,
};

/** The instant of so many years ago, by the database's clock. */
export async function findHorizon(db: Executor, years: number): Promise<Date> {
  const [row] = await db.query<{ horizon: Date }>(FIND_HORIZON, [years]);
  if (!row) throw new Error('the database gave no time');
  return row.horizon;
}

/**
 * Starts a run, unless another one is under way.
 *
 * A running run is finished first: its horizon and its counts are those of its audit entry.
 *
 * @param isAsked false: the last one must have begun a day ago
 * @returns whether it has started
 */
export const startRun = hasRows<[horizon: Date, actor: string, isAsked: boolean]>(
  'retention-run-start',
  `INSERT INTO retention_run AS r (horizon, actor, started_at)
   VALUES ($1, $2, service_now())
   ON CONFLICT (only_row) DO UPDATE SET horizon = $1, actor = $2,
     started_at = service_now(), phase = DEFAULT, merchant_id = DEFAULT,
     reached_at = DEFAULT, reached_id = DEFAULT, deleted = DEFAULT, kept = DEFAULT,
     ended_at = NULL
   WHERE r.ended_at IS NOT NULL
     AND ($3::boolean OR r.started_at <= service_now() - interval '1 day')
   RETURNING horizon`,
);

/**
 * Claims the run that is under way until the transaction ends; null: none is.
 *
 * A single process deletes at a time; another one takes the next batch.
 */
export const claimRun = firstRowOrNull<RetentionRun>(
  'retention-run-claim',
  `SELECT ${COLUMNS} FROM retention_run WHERE ended_at IS NULL FOR UPDATE`,
);

/** The run that is under way, or the last one. */
export const findRun = firstRowOrNull<RetentionRun>(
  'retention-run-find',
  `SELECT ${COLUMNS} FROM retention_run`,
);

/** Saves the progress of the claimed run. */
export const saveRun = execute(
  'retention-run-save',
  `UPDATE retention_run SET phase = $1, merchant_id = $2, reached_at = $3::timestamptz,
   reached_id = $4, deleted = $5, kept = $6,
   ended_at = CASE WHEN $7::boolean THEN service_now() END`,
  ({ phase, merchantId, reachedAt, reachedId, deleted, kept }: RetentionRun, isEnded: boolean) => [
    phase,
    merchantId,
    reachedAt,
    reachedId,
    deleted,
    kept,
    isEnded,
  ],
);
