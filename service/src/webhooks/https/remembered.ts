/** Remembers values by texts, the latest `most` of them. A fault is not remembered. */
export class Remembered<Value> {
  readonly #most: number;
  readonly #known = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Gives the remembered value, or the value that `make` gives. */
  get(text: string, make: (text: string) => Value): Value {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    // The oldest goes; a call that still needs it makes it again.
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= this.#most) this.#known.delete(oldest);
    this.#known.set(text, made);
    return made;
  }
}
