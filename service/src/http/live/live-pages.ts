import { createBatcher } from '#database/batcher.ts';
import type { Clock } from '#lib/clock.ts';

export interface LivePages {
  /** These may have changed; null: any may have. */
  changed(ids: readonly string[] | null): void;
  /**
   * Whether there is a later version than the one a page shows; null for an id that the database
   * does not know. Throws DatabaseUnavailable.
   */
  hasChanged(id: string, seenVersion: number): Promise<boolean | null>;
  /**
   * Calls `onChange` once there is a later version than the one a page shows.
   * @returns the end of following; null for an id that the database does not know.
   * @throws  DatabaseUnavailable
   */
  follow(id: string, seenVersion: number, onChange: () => void): Promise<(() => void) | null>;
  close(): void;
}

export interface LivePagesOptions {
  readonly clock: Clock;
  /** The present versions, in one statement; those that do not exist are left out. */
  readonly findVersions: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
}

/** Ids that pages poll for and none follows: 2 MB of memory. Beyond it the oldest gives way, and
 *  costs one more reading when it is asked for again. Streams bound the ids that pages follow. */
const MOST_POLLED = 10_000;
/** First readings that wait; each waits for one call, of which the load gate lets fewer in. */
const MAX_QUEUE = 20_000;
/** Of one statement; one at a time. */
const MAX_BATCH = 500;
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
  version: number;
  readonly followers: Set<Follower>;
  askedMs: number;
}

/** The first reading of an id, which all who ask for the id meanwhile share. */
interface FirstReading {
  /** Whether a change was signalled since the reading began, which it may not have seen. */
  isOutdated: boolean;
  readonly entry: Promise<Entry | null>;
}

/**
 * Tells open pages that what they show has changed. A page that is merely open costs memory and a
 * connection, no statement: versions are read for what was signalled to have changed, and for
 * pages that have just been opened, all of them in one statement. An id that the database does not
 * know leaves nothing behind: strangers can send any number of them.
 */
export function createLivePages({ clock, findVersions }: LivePagesOptions): LivePages {
  const followed = new Map<string, Entry>();
  /** In the order in which they were asked for last. */
  const polled = new Map<string, Entry>();
  const firstReadings = new Map<string, FirstReading>();
  const readVersion = createBatcher<string, number | null>({
    run: async (ids) => {
      const versions = await findVersions([...new Set(ids)]);
      return ids.map((id) => versions.get(id) ?? null);
    },
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
  });
  const sweep = setInterval(sweepAll, SWEEP_MS).unref();
  let isClosed = false;

  async function readAgain(id: string): Promise<void> {
    const entry = followed.get(id) ?? polled.get(id);
    if (!entry || isClosed) return;
    try {
      entry.version = Math.max(entry.version, (await readVersion(id)) ?? 0);
      for (const follower of [...entry.followers]) tell(id, entry, follower);
    } catch {
      if (entry.followers.size > 0) setTimeout(readAgain, PAUSE_AFTER_FAILURE_MS, id).unref();
      // A page that polls must not be told for ever what may be out of date.
      else polled.delete(id);
    }
  }

  function tell(id: string, entry: Entry, follower: Follower): void {
    if (entry.version <= follower.seenVersion) return;
    leave(id, entry, follower);
    follower.onChange();
  }

  function leave(id: string, entry: Entry, follower: Follower): void {
    if (!entry.followers.delete(follower) || entry.followers.size > 0) return;
    followed.delete(id);
    keepPolled(id, entry);
  }

  function keepPolled(id: string, entry: Entry): void {
    polled.delete(id);
    polled.set(id, entry);
    if (polled.size <= MOST_POLLED) return;
    const [oldest] = polled.keys();
    if (oldest !== undefined) polled.delete(oldest);
  }

  /** null: the database does not know the id. */
  async function entryOf(id: string): Promise<Entry | null> {
    const known = followed.get(id) ?? polled.get(id);
    const entry = known ?? (await (firstReadings.get(id) ?? readFirst(id)).entry);
    if (!entry) return null;
    entry.askedMs = clock.steadyMs();
    if (entry.followers.size === 0) keepPolled(id, entry);
    return entry;
  }

  function readFirst(id: string): FirstReading {
    const entry = readVersion(id)
      .then((version) => (version === null ? null : begin(id, version)))
      .finally(() => firstReadings.delete(id));
    const reading = { isOutdated: false, entry };
    firstReadings.set(id, reading);
    return reading;
  }

  function begin(id: string, version: number): Entry {
    const entry: Entry = { version, followers: new Set(), askedMs: clock.steadyMs() };
    keepPolled(id, entry);
    if (firstReadings.get(id)?.isOutdated) void readAgain(id);
    return entry;
  }

  function sweepAll(): void {
    const oldestMs = clock.steadyMs() - FORGET_AFTER_MS;
    for (const [id, { askedMs }] of polled) if (askedMs < oldestMs) polled.delete(id);
    readAllAgain();
  }

  function readAllAgain(): void {
    for (const id of [...followed.keys(), ...polled.keys()]) void readAgain(id);
  }

  return {
    changed(ids) {
      const outdated = ids ?? [...firstReadings.keys()];
      for (const id of outdated) {
        const reading = firstReadings.get(id);
        if (reading) reading.isOutdated = true;
      }
      if (ids) for (const id of ids) void readAgain(id);
      else readAllAgain();
    },
    async hasChanged(id, seenVersion) {
      const entry = await entryOf(id);
      return entry && entry.version > seenVersion;
    },
    async follow(id, seenVersion, onChange) {
      const entry = await entryOf(id);
      if (!entry) return null;
      const follower = { seenVersion, onChange };
      polled.delete(id);
      followed.set(id, entry);
      entry.followers.add(follower);
      // The version here may be older than what the page shows; it is never newer than the truth.
      tell(id, entry, follower);
      return () => leave(id, entry, follower);
    },
    close() {
      isClosed = true;
      clearInterval(sweep);
    },
  };
}
