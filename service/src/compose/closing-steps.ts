/** The steps by which a service stops, in order. */
export interface ClosingSteps {
  /** Closed at once and side by side: what takes in new work. */
  drain(name: string, close: () => Promise<unknown>, unfinished?: () => string): void;
  /** Closed afterwards, the latest first: what the others need. */
  keep(name: string, close: () => Promise<unknown>): void;
  closeAll(): Promise<void>;
  /** The steps that are not closed yet. */
  unfinished(): readonly string[];
}

interface Step {
  readonly name: string;
  readonly close: () => Promise<unknown>;
  readonly unfinished?: (() => string) | undefined;
}

/** Opens an empty list of steps; each is closed once. */
export function createClosingSteps(): ClosingSteps {
  const drained: Step[] = [];
  const kept: Step[] = [];
  const open = new Set<Step>();

  async function close(step: Step): Promise<void> {
    await step.close();
    open.delete(step);
  }

  return {
    drain(name, closeStep, unfinished) {
      const step = { name, close: closeStep, unfinished };
      drained.push(step);
      open.add(step);
    },
    keep(name, closeStep) {
      const step = { name, close: closeStep };
      kept.push(step);
      open.add(step);
    },
    async closeAll() {
      await Promise.all(drained.splice(0).map(close));
      for (const step of kept.splice(0).reverse()) await close(step);
    },
    unfinished: () => [...open].map((step) => step.unfinished?.() ?? step.name),
  };
}
