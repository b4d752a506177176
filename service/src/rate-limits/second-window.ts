import type { Clock } from '#lib/clock.ts';

export interface SecondWindow<Value> {
  /** The key's value of the current second, created at its first use. */
  get(key: string): Value;
  /** The number of keys in this second. */
  size(): number;
}

/** Values that live for one second of the clock; the next second begins empty. */
export function createSecondWindow<Value>(clock: Clock, make: () => Value): SecondWindow<Value> {
  let current = Number.NaN;
  let values = new Map<string, Value>();

  function valuesOfNow(): Map<string, Value> {
    const second = Math.floor(clock.now().getTime() / 1_000);
    if (second !== current) {
      current = second;
      values = new Map();
    }
    return values;
  }

  return {
    get(key) {
      const now = valuesOfNow();
      const known = now.get(key);
      if (known !== undefined) return known;
      const made = make();
      now.set(key, made);
      return made;
    },
    size: () => valuesOfNow().size,
  };
}
