/** Random numbers that a seed repeats: mulberry32. */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** @returns an integer from 0 up to but not `below` */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  }

  /** null: the list is empty. */
  pick<Item>(items: readonly Item[]): Item | null {
    return items[this.below(items.length)] ?? null;
  }
}
