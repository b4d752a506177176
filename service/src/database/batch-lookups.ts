import { createBatcher } from './batcher.ts';
import type { Executor } from './database.ts';

/** Keys of one statement: the rows of its answer stay well below a megabyte. */
const MAX_BATCH = 100;

export interface BatchLookupsOptions<Value> {
  readonly db: Executor;
  /** Finds the values of different keys; a key without a value is left out. */
  readonly find: (db: Executor, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  /** The most callers that may wait; a further caller gets DatabaseUnavailable. */
  readonly maxQueue: number;
  /** Called with the number of callers of each statement. */
  readonly onBatch: (size: number) => void;
}

/** Makes a look-up by key that batches its callers: one statement finds the values for all. */
export function batchLookups<Value>({
  db,
  find,
  maxQueue,
  onBatch,
}: BatchLookupsOptions<Value>): (key: string) => Promise<Value | null> {
  return createBatcher({
    run: async (keys: readonly string[]) => {
      const found = await find(db, [...new Set(keys)]);
      return keys.map((key) => found.get(key) ?? null);
    },
    maxBatch: MAX_BATCH,
    maxQueue,
    onBatch,
  });
}
