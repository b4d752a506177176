import type { Clock } from '#lib/clock.ts';

/** A resource that calls can wait for, as it is read. */
export interface Followed {
  readonly id: string;
  /** Grows with every change. */
  readonly version: number;
}

/** The part of a resource's changes that the clock makes. */
export interface TimedChanges<Resource extends Followed> {
  /** The resource as it is at `now`. */
  at(resource: Resource, now: Date): Resource;
  /** The instant at which it changes by itself; null: it does not. */
  changesAt(resource: Resource): Date | null;
}

export interface ChangeWaitDeps<Resource extends Followed> {
  readonly clock: Clock;
  readonly timed: TimedChanges<Resource>;
  /** Asks for a reading, soon; `onRead` or `onFailure` is called with its outcome. */
  readonly read: () => void;
}

export interface ChangeWaitTerms<Resource extends Followed> {
  /** The resource as the call knows it. */
  readonly seen: Resource;
  readonly forMs: number;
  readonly gone: AbortSignal;
}

/** The wait of one call for a change of one resource (contract §4, Read). */
export class ChangeWait<Resource extends Followed> {
  readonly #deps: ChangeWaitDeps<Resource>;
  readonly #answer = Promise.withResolvers<Resource>();
  #terms: ChangeWaitTerms<Resource> | null = null;
  /** The latest that was read; it may come from before the call's own first look. */
  #latest: Resource | null = null;
  #isOver = false;
  #expiry: NodeJS.Timeout | undefined;

  constructor(deps: ChangeWaitDeps<Resource>) {
    this.#deps = deps;
  }

  /**
   * Waits until the resource is another version than `seen`, `forMs` are over or `gone`.
   *
   * @returns the resource as it is then
   * @throws  the error of the reading at the end of the wait
   */
  async change(terms: ChangeWaitTerms<Resource>): Promise<Resource> {
    this.#terms = terms;
    const { forMs, gone } = terms;
    const end = setTimeout(() => {
      this.#isOver = true;
      this.#deps.read();
    }, forMs);
    const onGone = () => this.close();
    gone.addEventListener('abort', onGone);
    if (gone.aborted) this.close();
    this.#answerChange(terms);
    try {
      return await this.#answer.promise;
    } finally {
      clearTimeout(end);
      clearTimeout(this.#expiry);
      gone.removeEventListener('abort', onGone);
    }
  }

  onRead(found: Resource): void {
    this.#latest = found;
    if (this.#terms) this.#answerChange(this.#terms);
  }

  onFailure(error: unknown): void {
    if (this.#isOver) this.#answer.reject(error);
  }

  /** Ends the wait with the resource as it was read last. */
  close(): void {
    if (this.#terms) this.#answer.resolve(this.#newest(this.#terms, this.#deps.clock.now()));
  }

  #answerChange(terms: ChangeWaitTerms<Resource>): void {
    const now = this.#deps.clock.now();
    const current = this.#newest(terms, now);
    if (this.#isOver || current.version > terms.seen.version) {
      this.#answer.resolve(current);
      return;
    }
    clearTimeout(this.#expiry);
    const changesAt = this.#deps.timed.changesAt(current);
    if (changesAt === null) return;
    // Nothing reports such a change in time: the loop writes an expiry up to a second later.
    const inMs = changesAt.getTime() - now.getTime();
    if (inMs <= terms.forMs) this.#expiry = setTimeout(this.#deps.read, Math.max(inMs, 1));
  }

  /** A reading for other calls, during the call's own first look, may be older than that look. */
  #newest({ seen }: ChangeWaitTerms<Resource>, now: Date): Resource {
    const latest = this.#latest && this.#deps.timed.at(this.#latest, now);
    return latest && latest.version >= seen.version ? latest : seen;
  }
}
