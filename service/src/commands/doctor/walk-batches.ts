import { DatabaseUnavailable } from '#database/database.ts';

/** Below this a batch that fails is no matter of its size. */
const SMALLEST_BATCH = 50;
const SHRINK_BY = 4;

export interface Walk<Key> {
  /** The place before the first row. */
  readonly first: Key;
  /** Rows of a batch that takes well below a second; a batch that fails is tried again, smaller. */
  readonly batchSize: number;
  /** Examines up to `limit` rows after a place; `last` is `null` when no row is left. */
  readonly examine: (
    after: Key,
    limit: number,
  ) => Promise<{ readonly examined: number; readonly last: Key | null }>;
  readonly showProgress: (examined: number) => void;
}

/** How far a walk came. */
export interface Walked {
  readonly examined: number;
  /** `null` when the walk saw every row; else where the walk stopped, and why. */
  readonly stopped: string | null;
}

/**
 * Examines a table in batches, each a statement of its own with the connection's time-outs. A batch
 * that fails because the database cannot be used is tried again with fewer rows: at most four times
 * in a row, then the walk stops and says where.
 */
export async function walkBatches<Key>(walk: Walk<Key>): Promise<Walked> {
  let after = walk.first;
  let limit = walk.batchSize;
  let examined = 0;
  for (;;) {
    try {
      const batch = await walk.examine(after, limit);
      examined += batch.examined;
      walk.showProgress(examined);
      if (batch.last === null) return { examined, stopped: null };
      after = batch.last;
      limit = Math.min(walk.batchSize, limit * SHRINK_BY);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      if (limit <= SMALLEST_BATCH) return { examined, stopped: stopSentence(after, error) };
      limit = Math.max(SMALLEST_BATCH, Math.floor(limit / SHRINK_BY));
    }
  }
}

function stopSentence(after: unknown, { cause }: DatabaseUnavailable): string {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return `The check stopped after ${String(after)} (${reason}); the rest was not checked.`;
}
