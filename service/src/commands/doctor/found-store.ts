import type { Executor } from '#database/database.ts';

/** More than this is no list to work through; the count says "at least". */
const MOST_COUNTED = 10_000;

export interface Found {
  /** At most 10,000. */
  readonly count: number;
  /** A few ids; `null` when there is none. */
  readonly examples: readonly string[] | null;
}

/** A batch of audited rows; its other members are the ids that are wrong, by the way. */
export interface AuditedBatch<Place = string> {
  readonly examined: number;
  /** null: no row is after the place given. */
  readonly last: Place | null;
}

/**
 * Makes a function that counts the rows of a query and names a few of them.
 *
 * @param name the name of the prepared statement
 * @param rows a query of one column of texts
 */
export function countsRows(name: string, rows: string) {
  const text = `SELECT count(*) AS count, (array_agg(example))[1:5] AS examples
    FROM (${rows} LIMIT ${MOST_COUNTED}) AS found (example)`;
  return async (db: Executor, ...values: readonly number[]): Promise<Found> => {
    const [row] = await db.query<Found>({ name, text }, values);
    return row ?? { count: 0, examples: null };
  };
}
