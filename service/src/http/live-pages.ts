import { gather } from '#database/gather.ts';
import type { Clock } from '#lib/clock.ts';

export interface LivePages {
  /** These may have changed; null: any may have. */
  changed(ids: readonly string[] | null): void;
  /** Whether there is a later version than the one a page shows. */
  hasChanged(id: string, seenVersion: number): Promise<boolean>;
  /**
   * Calls `onChange` once there is a later version than the one a page shows.
   * @returns the end of following; null where too many follow already.
   */
  follow(id: string, seenVersion: number, onChange: () => void): (() => void) | null;
  close(): void;
}

export interface LivePagesOptions {
  readonly clock: Clock;
  /** The present versions, in one statement; those that do not exist are left out. */
  readonly findVersions: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
}

/** Of one process, at some 30 KB of memory each with its connection. */
const MOST_FOLLOWERS = 10_000;
/** What is watched or was asked for lately; beyond it pages that poll are told nothing. */
const MOST_ENTRIES = 20_000;
/** Of one statement; one at a time. */
const MOST_AT_ONCE = 500;
/** After a reading that failed: the database heals in seconds. */
const PAUSE_AFTER_FAILURE_MS = 1_000;
/** A signal may be lost: everything is looked at again this often, 500 pages a statement. */
const SWEEP_MS = 15_000;
/** Pages that poll come back after 30 s at the latest. */
const FORGET_AFTER_MS = 60_000;

interface Follower {
  readonly seenVersion: number;
  readonly onChange: () => void;
}

interface Entry {
  /** null: not read yet. */
  version: number | null;
  readonly followers: Set<Follower>;
  /** Those who poll, and wait for the first reading. */
  waiting: ((version: number | null) => void)[];
  askedMs: number;
}

/**
 * Tells open pages that what they show has changed. A page that is merely open costs memory and a
 * connection, no statement: versions are read for what was signalled to have changed, and for
 * pages that have just been opened, all of them in one statement.
 */
export function createLivePages({ clock, findVersions }: LivePagesOptions): LivePages {
  const entries = new Map<string, Entry>();
  const readVersion = gather<string, number | null>({
    run: async (ids) => {
      const versions = await findVersions(ids);
      return ids.map((id) => versions.get(id) ?? null);
    },
    most: MOST_AT_ONCE,
    mostWaiting: 2 * MOST_ENTRIES,
  });
  const sweep = setInterval(sweepAll, SWEEP_MS).unref();
  let followerCount = 0;
  let isClosed = false;

  async function read(id: string): Promise<void> {
    const entry = entries.get(id);
    if (!entry || isClosed) return;
    try {
      entry.version = await readVersion(id);
      for (const follower of [...entry.followers]) tell(entry, follower);
    } catch {
      if (entry.followers.size > 0) setTimeout(read, PAUSE_AFTER_FAILURE_MS, id).unref();
    } finally {
      answerWaiting(entry);
    }
  }

  function tell(entry: Entry, follower: Follower): void {
    if (entry.version === null || entry.version <= follower.seenVersion) return;
    leave(entry, follower);
    follower.onChange();
  }

  function leave(entry: Entry, follower: Follower): void {
    if (entry.followers.delete(follower)) followerCount -= 1;
  }

  function entryOf(id: string): Entry | null {
    const askedMs = clock.steadyMs();
    const known = entries.get(id);
    if (known) {
      known.askedMs = askedMs;
      return known;
    }
    if (isClosed || entries.size >= MOST_ENTRIES) return null;
    const entry: Entry = { version: null, followers: new Set(), waiting: [], askedMs };
    entries.set(id, entry);
    void read(id);
    return entry;
  }

  function sweepAll(): void {
    const oldestMs = clock.steadyMs() - FORGET_AFTER_MS;
    for (const [id, entry] of entries) {
      if (entry.followers.size > 0) void read(id);
      else if (entry.askedMs < oldestMs && entry.waiting.length === 0) entries.delete(id);
    }
  }

  return {
    changed(ids) {
      for (const id of ids ?? entries.keys()) void read(id);
    },
    async hasChanged(id, seenVersion) {
      const entry = entryOf(id);
      if (!entry) return false;
      const version = entry.version ?? (await waitForReading(entry));
      return version !== null && version > seenVersion;
    },
    follow(id, seenVersion, onChange) {
      const entry = followerCount >= MOST_FOLLOWERS ? null : entryOf(id);
      if (!entry) return null;
      const follower = { seenVersion, onChange };
      entry.followers.add(follower);
      followerCount += 1;
      // What is known may be older than what the page shows; it is never newer than the truth.
      tell(entry, follower);
      return () => leave(entry, follower);
    },
    close() {
      isClosed = true;
      clearInterval(sweep);
      for (const entry of entries.values()) answerWaiting(entry);
    },
  };
}

function waitForReading(entry: Entry): Promise<number | null> {
  return new Promise((resolve) => entry.waiting.push(resolve));
}

function answerWaiting(entry: Entry): void {
  const { waiting } = entry;
  entry.waiting = [];
  for (const resolve of waiting) resolve(entry.version);
}
