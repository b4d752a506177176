/** A promise of the specification that a simulated run has refuted. */
export class BrokenInvariant extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenInvariant';
  }
}

/** @throws BrokenInvariant unless `holds` */
export function must(holds: boolean, message: () => string): asserts holds {
  if (!holds) throw new BrokenInvariant(message());
}

export function mustEqual(actual: unknown, expected: unknown, what: () => string): void {
  must(actual === expected, () => `${what()}: ${String(actual)}, not ${String(expected)}`);
}
