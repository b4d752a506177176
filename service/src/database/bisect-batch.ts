export interface BisectSteps<Entry> {
  /** Does all entries or none. */
  run(entries: readonly Entry[]): Promise<void>;
  /** The parts of failed entries that may fail apart from each other; one or none: no division. */
  partsOf(entries: readonly Entry[], error: unknown): readonly (readonly Entry[])[];
  /** Called with failed entries that are not divided. */
  giveUp(entries: readonly Entry[], error: unknown): void;
}

/**
 * Bisects a failed batch until the bad part is alone: one bad entry among 64 costs 12 more runs,
 * where runs of single entries would cost 64. Runs follow each other in the batch's order. Never
 * throws.
 */
export async function bisectBatch<Entry>(
  entries: readonly Entry[],
  error: unknown,
  steps: BisectSteps<Entry>,
): Promise<void> {
  const parts = steps.partsOf(entries, error);
  if (parts.length <= 1) {
    steps.giveUp(entries, error);
    return;
  }
  const half = Math.ceil(parts.length / 2);
  for (const some of [parts.slice(0, half).flat(), parts.slice(half).flat()]) {
    try {
      await steps.run(some);
    } catch (errorOfSome) {
      await bisectBatch(some, errorOfSome, steps);
    }
  }
}
