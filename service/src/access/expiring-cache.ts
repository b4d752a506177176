import type { Clock } from '#lib/clock.ts';

export interface Loaded<Value> {
  readonly value: Value;
}

export interface ExpiringCache<Value> {
  /** The result of `load` for the key, at most a lifetime old. */
  get(key: string): Promise<Value>;
  /** The value that `get` would give at once; null: it has to be loaded, or is being loaded. */
  peek(key: string): Loaded<Value> | null;
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

interface Entry<Value> {
  readonly startedMs: number;
  readonly promise: Promise<Value>;
  /** null: the load has not ended. */
  loaded: Loaded<Value> | null;
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
  const entries = new Map<string, Entry<Value>>();

  function start(key: string, name: string): Promise<Value> {
    const entry: Entry<Value> = { startedMs: clock.steadyMs(), promise: load(key), loaded: null };
    // Deleted first, so that the order of the map is the order of loading.
    entries.delete(name);
    entries.set(name, entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= mostEntries) break;
      entries.delete(oldest);
    }
    entry.promise.then(
      (value) => {
        entry.loaded = { value };
      },
      () => {
        if (entries.get(name) === entry) entries.delete(name);
      },
    );
    return entry.promise;
  }

  function findFresh(name: string): Entry<Value> | undefined {
    const entry = entries.get(name);
    const isFresh = entry !== undefined && clock.steadyMs() - entry.startedMs < lifetimeMs;
    return isFresh ? entry : undefined;
  }

  return {
    get(key) {
      const name = nameOf(key);
      return findFresh(name)?.promise ?? start(key, name);
    },
    peek: (key) => findFresh(nameOf(key))?.loaded ?? null,
    drop(key) {
      entries.delete(nameOf(key));
    },
  };
}
