import type { Clock } from '#lib/clock.ts';

export interface ExpiringCache<Value> {
  /** The result of `load` for the key, at most a lifetime old. */
  get(key: string): Promise<Value>;
  /** Removes a key, so that the next `get` loads it. */
  drop(key: string): void;
}

export interface ExpiringCacheOptions<Value> {
  readonly clock: Clock;
  readonly lifetimeMs: number;
  /** Beyond this number the entries that were loaded first are removed. */
  readonly mostEntries: number;
  readonly load: (key: string) => Promise<Value>;
  /** The cache key of a key; by default the key itself. */
  readonly nameOf?: (key: string) => string;
}

/**
 * Caches loaded values for a bounded time. The time counts from the start of the load, also for
 * callers that wait for the load. A result of `get` was therefore true at most a lifetime before
 * the call, with any speed of the database. A load that fails is not cached.
 */
export function createExpiringCache<Value>({
  clock,
  lifetimeMs,
  mostEntries,
  load,
  nameOf = (key) => key,
}: ExpiringCacheOptions<Value>): ExpiringCache<Value> {
  const entries = new Map<string, { readonly startedMs: number; readonly value: Promise<Value> }>();

  function start(key: string, name: string): Promise<Value> {
    const entry = { startedMs: clock.steadyMs(), value: load(key) };
    // Deleted first, so that the order of the map is the order of loading.
    entries.delete(name);
    entries.set(name, entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= mostEntries) break;
      entries.delete(oldest);
    }
    entry.value.catch(() => {
      if (entries.get(name) === entry) entries.delete(name);
    });
    return entry.value;
  }

  return {
    get(key) {
      const name = nameOf(key);
      const entry = entries.get(name);
      const isFresh = entry !== undefined && clock.steadyMs() - entry.startedMs < lifetimeMs;
      return isFresh ? entry.value : start(key, name);
    },
    drop(key) {
      entries.delete(nameOf(key));
    },
  };
}
