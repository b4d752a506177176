import { createBatcher } from '#database/batcher.ts';
import type { Clock } from '#lib/clock.ts';
import { type Follower, type LiveEntry, PolledPages } from './polled-pages.ts';

/** Notifies open pages of changes. */
export interface LivePages {
  /** Call it when these may have changed; null: any may have changed. */
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
  /** Everything is looked at again this often; left out: changes are signalled. */
  readonly sweepMs?: number;
}

/** First readings that wait; each waits for one call, of which the load gate lets fewer in. */
const MAX_QUEUE = 20_000;
/** The most ids of one statement; one statement runs at a time. */
const MAX_BATCH = 500;
/** After a reading that failed: the database heals in seconds. */
const PAUSE_AFTER_FAILURE_MS = 1_000;
/** A signal may be lost: everything is looked at again this often, 500 pages a statement. */
const SWEEP_MS = 15_000;

/** The first reading of an id; every call for the id shares it. */
interface FirstReading {
  /** Whether a change was signalled since the reading began, which it may not have seen. */
  isOutdated: boolean;
  readonly entry: Promise<LiveEntry | null>;
}

/**
 * Notifies open pages of changes. A page that is merely open costs memory and a connection, no
 * statement. A statement reads the versions of all signalled ids and of pages that have just been
 * opened. An id that the database does not know leaves nothing behind: strangers can send any
 * number of them.
 */
export function createLivePages(options: LivePagesOptions): LivePages {
  return new VersionTable(options);
}

class VersionTable implements LivePages {
  readonly #clock: Clock;
  readonly #followed = new Map<string, LiveEntry>();
  readonly #polled = new PolledPages();
  readonly #firstReadings = new Map<string, FirstReading>();
  /** null: the database does not know the id. */
  readonly #readVersion: (id: string) => Promise<number | null>;
  readonly #sweep: NodeJS.Timeout;
  #isClosed = false;

  constructor({ clock, findVersions, sweepMs = SWEEP_MS }: LivePagesOptions) {
    this.#clock = clock;
    this.#readVersion = createBatcher<string, number | null>({
      run: async (ids) => {
        const versions = await findVersions([...new Set(ids)]);
        return ids.map((id) => versions.get(id) ?? null);
      },
      maxBatch: MAX_BATCH,
      maxQueue: MAX_QUEUE,
    });
    this.#sweep = setInterval(() => this.#sweepAll(), sweepMs).unref();
  }

  changed(ids: readonly string[] | null): void {
    for (const id of ids ?? [...this.#firstReadings.keys()]) {
      const reading = this.#firstReadings.get(id);
      if (reading) reading.isOutdated = true;
    }
    if (ids) for (const id of ids) void this.#readAgain(id);
    else this.#readAllAgain();
  }

  async hasChanged(id: string, seenVersion: number): Promise<boolean | null> {
    const entry = await this.#entryOf(id);
    return entry && entry.version > seenVersion;
  }

  async follow(
    id: string,
    seenVersion: number,
    onChange: () => void,
  ): Promise<(() => void) | null> {
    const entry = await this.#entryOf(id);
    if (!entry) return null;
    const follower = { seenVersion, onChange };
    this.#polled.delete(id);
    this.#followed.set(id, entry);
    entry.followers.add(follower);
    // The version here may be older than the page's version; it is never newer than the database's.
    this.#notify(id, entry, follower);
    return () => this.#leave(id, entry, follower);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweep);
  }

  async #readAgain(id: string): Promise<void> {
    const entry = this.#find(id);
    if (!entry || this.#isClosed) return;
    try {
      entry.version = Math.max(entry.version, (await this.#readVersion(id)) ?? 0);
      for (const follower of [...entry.followers]) this.#notify(id, entry, follower);
    } catch {
      if (entry.followers.size > 0) {
        setTimeout(() => this.#readAgain(id), PAUSE_AFTER_FAILURE_MS).unref();
      } else {
        // The version may be out of date: a page that polls must not be answered with it for ever.
        this.#polled.delete(id);
      }
    }
  }

  #notify(id: string, entry: LiveEntry, follower: Follower): void {
    if (entry.version <= follower.seenVersion) return;
    this.#leave(id, entry, follower);
    follower.onChange();
  }

  #leave(id: string, entry: LiveEntry, follower: Follower): void {
    if (!entry.followers.delete(follower) || entry.followers.size > 0) return;
    this.#followed.delete(id);
    this.#polled.keep(id, entry);
  }

  #find(id: string): LiveEntry | undefined {
    return this.#followed.get(id) ?? this.#polled.get(id);
  }

  /** null: the database does not know the id. */
  async #entryOf(id: string): Promise<LiveEntry | null> {
    const reading = () => this.#firstReadings.get(id) ?? this.#readFirst(id);
    const entry = this.#find(id) ?? (await reading().entry);
    if (!entry) return null;
    entry.askedMs = this.#clock.steadyMs();
    if (entry.followers.size === 0) this.#polled.keep(id, entry);
    return entry;
  }

  #readFirst(id: string): FirstReading {
    const entry = this.#readVersion(id)
      .then((version) => (version === null ? null : this.#begin(id, version)))
      .finally(() => this.#firstReadings.delete(id));
    const reading = { isOutdated: false, entry };
    this.#firstReadings.set(id, reading);
    return reading;
  }

  #begin(id: string, version: number): LiveEntry {
    const entry: LiveEntry = { version, followers: new Set(), askedMs: this.#clock.steadyMs() };
    this.#polled.keep(id, entry);
    if (this.#firstReadings.get(id)?.isOutdated) void this.#readAgain(id);
    return entry;
  }

  #sweepAll(): void {
    this.#polled.forgetOld(this.#clock.steadyMs());
    this.#readAllAgain();
  }

  #readAllAgain(): void {
    for (const id of [...this.#followed.keys(), ...this.#polled.ids()]) void this.#readAgain(id);
  }
}
