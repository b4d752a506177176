import type { Clock } from '#lib/clock.ts';

export interface ExpiringCache<Value> {
  /** What `load` gave for the key at most a lifetime ago. */
  get(key: string): Promise<Value>;
  /** Forgets a key, so that the next `get` loads it. */
  drop(key: string): void;
}

export interface ExpiringCacheOptions<Value> {
  readonly clock: Clock;
  readonly lifetimeMs: number;
  /** Beyond this the entries loaded first are forgotten. */
  readonly mostEntries: number;
  readonly load: (key: string) => Promise<Value>;
  /** What a key is remembered as; the key itself when left out. */
  readonly nameOf?: (key: string) => string;
}

/**
 * Remembers what was loaded for a bounded time. The time counts from the start of the load, also
 * for those who wait for it: whatever `get` answers was true at most a lifetime before the call,
 * however slow the database is. A load that fails is not remembered.
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
    // Deleted first, so that the map's order is the order of loading.
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
