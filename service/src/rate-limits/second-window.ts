import type { Clock } from '#lib/clock.ts';

export interface SecondWindow<Value> {
  /** The key's value of the current second, made at its first asking. */
  get(key: string): Value;
  /** How many keys this second has. */
  size(): number;
}

/** Values that live for one second of the clock: nothing is left of them in the next. */
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
