import { gather } from './batcher.ts';
import type { Executor } from './database.ts';

/** A run of look-ups: its answer's rows stay well below a megabyte, so that nobody waits long. */
const MOST_AT_ONCE = 100;

export interface LookUpOptions<Value> {
  readonly db: Executor;
  /** Finds many, by different keys; those that do not exist are left out. */
  readonly find: (db: Executor, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  /** The most callers that may wait; beyond it they are told to come back. */
  readonly mostWaiting: number;
  /** Told how many callers each statement had. */
  readonly onRun: (size: number) => void;
}

/** Makes a look-up by key that many callers share: those that come together are one statement. */
export function lookUpTogether<Value>({
  db,
  find,
  mostWaiting,
  onRun,
}: LookUpOptions<Value>): (key: string) => Promise<Value | null> {
  return gather({
    run: async (keys: readonly string[]) => {
      const found = await find(db, [...new Set(keys)]);
      return keys.map((key) => found.get(key) ?? null);
    },
    most: MOST_AT_ONCE,
    mostWaiting,
    onRun,
  });
}
