/** Counts by key. A key whose count is 0 is deleted: memory is bounded by what is counted. */
export class KeyCounter {
  readonly #counts: Map<string, number>;

  /** @param counts to begin with; none when left out */
  constructor(counts?: ReadonlyMap<string, number>) {
    this.#counts = new Map(counts);
  }

  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string): void {
    this.#counts.set(key, this.count(key) + 1);
  }

  remove(key: string): void {
    const left = this.count(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }

  /** The keys that are counted `least` times or more. */
  keysFrom(least: number): Set<string> {
    return new Set([...this.#counts].filter(([, count]) => count >= least).map(([key]) => key));
  }

  /** The keys that are counted, with their counts at this moment. */
  snapshot(): Map<string, number> {
    return new Map(this.#counts);
  }
}
