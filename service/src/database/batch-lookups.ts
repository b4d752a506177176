import { createBatcher } from './batcher.ts';
import type { Executor } from './database.ts';

/** A run of look-ups: its answer's rows stay well below a megabyte, so that nobody waits long. */
const MAX_BATCH = 100;

export interface BatchLookupsOptions<Value> {
  readonly db: Executor;
  /** Finds many, by different keys; those that do not exist are left out. */
  readonly find: (db: Executor, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  /** The most callers that may wait; beyond it they are told to come back. */
  readonly maxQueue: number;
  /** Told how many callers each statement had. */
  readonly onBatch: (size: number) => void;
}

/** Makes a look-up by key that many callers share: those that come together are one statement. */
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
