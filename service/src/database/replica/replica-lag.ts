/** A place in the primary's log, and the latest moment at which the log had not gone further. */
interface Sample {
  readonly place: number;
  readonly atMs: number;
}

/**
 * Measures the age of the data that a replica shows (decision 0061). A replica that has replayed a
 * place shows every commit up to the moment when the primary was there. Neither the replica's clock
 * nor the end of its connection to the primary matters.
 */
export class ReplicaLag {
  readonly #longestMs: number;
  /** The oldest sample comes first; both members grow. */
  readonly #samples: Sample[] = [];
  #shownMs = Number.NEGATIVE_INFINITY;

  /** @param longestMs samples beyond this age are forgotten: so old a replica is not used */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  /** @param atMs a monotonic instant before the primary was asked for its place */
  sawPrimary(place: number, atMs: number): void {
    while ((this.#samples[0]?.atMs ?? atMs) < atMs - this.#longestMs) this.#samples.shift();
    this.#samples.push({ place, atMs });
  }

  /** The replica has replayed everything up to `place`. */
  sawReplica(place: number): void {
    const shown = this.#samples.findLast((sample) => sample.place <= place);
    this.#shownMs = shown?.atMs ?? Number.NEGATIVE_INFINITY;
  }

  /** Milliseconds by which the replica is behind at most; Infinity when it is not known. */
  at(nowMs: number): number {
    return nowMs - this.#shownMs;
  }

  /** Forgets the replica's state: the lag is unknown until the next comparison. */
  forget(): void {
    this.#shownMs = Number.NEGATIVE_INFINITY;
  }
}
