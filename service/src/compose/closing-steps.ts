/** The steps by which a service stops, in order. */
export type ClosingSteps = ReturnType<typeof createClosingSteps>;

interface Step {
  readonly name: string;
  readonly close: () => Promise<unknown>;
  readonly unfinished?: (() => string) | undefined;
}

/** Opens an empty list of steps; each is closed once. */
export function createClosingSteps() {
  const drained: Step[] = [];
  const kept: Step[] = [];
  const open = new Set<Step>();

  async function close(step: Step): Promise<void> {
    await step.close();
    open.delete(step);
  }

  return {
    /** Closed at once and side by side: what takes in new work. */
    drain(name: string, closeStep: () => Promise<unknown>, unfinished?: () => string) {
      const step = { name, close: closeStep, unfinished };
      drained.push(step);
      open.add(step);
    },
    /** Closed afterwards, the latest first: what the others need. */
    keep(name: string, closeStep: () => Promise<unknown>) {
      const step = { name, close: closeStep };
      kept.push(step);
      open.add(step);
    },
    async closeAll() {
      await Promise.all(drained.splice(0).map(close));
      for (const step of kept.splice(0).reverse()) await close(step);
    },
    /** The steps that are not closed yet. */
    unfinished: () => [...open].map((step) => step.unfinished?.() ?? step.name),
  };
}
