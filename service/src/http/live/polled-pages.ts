/**
 * The bound of ids that pages poll for and no page follows: 2 MB of memory. Beyond the bound the
 * oldest id is dropped, and costs one more reading at its next poll. The bound of streams bounds
 * the ids that pages follow.
 */
const MAX_POLLED = 10_000;
/** Pages that poll come back after 30 s at the latest. */
const FORGET_AFTER_MS = 60_000;

export interface Follower {
  readonly seenVersion: number;
  readonly onChange: () => void;
}

/** The known version of an id, with the pages that follow it. */
export interface LiveEntry {
  version: number;
  readonly followers: Set<Follower>;
  /** The last poll or stream that asked for the id, by the steady clock. */
  askedMs: number;
}

/** The entries that no page follows, in the order of their last poll. */
export class PolledPages {
  readonly #entries = new Map<string, LiveEntry>();

  get(id: string): LiveEntry | undefined {
    return this.#entries.get(id);
  }

  ids(): Iterable<string> {
    return this.#entries.keys();
  }

  /** Keeps an entry as the youngest; drops the oldest beyond 10,000. */
  keep(id: string, entry: LiveEntry): void {
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    if (this.#entries.size <= MAX_POLLED) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }

  /** Drops the entries that nobody has asked for within a minute. */
  forgetOld(nowMs: number): void {
    for (const [id, { askedMs }] of this.#entries) {
      if (askedMs < nowMs - FORGET_AFTER_MS) this.#entries.delete(id);
    }
  }
}
