import type { MemoryDatabase } from '../memory/memory-database.ts';
import type { Random } from './random.ts';
import { planFault, type World } from './world.ts';

/** The kinds of steps that a simulation draws, each with its weight. */
export type StepTable<Parts> = Readonly<
  Record<
    string,
    {
      readonly weight: number;
      readonly take: (parts: Parts, random: Random) => Promise<string>;
    }
  >
>;

interface SteppedParts<Parts> {
  readonly steps: StepTable<Parts>;
  readonly parts: Parts;
  readonly db: MemoryDatabase;
  /** Ends the work that a step has left in the background, before the fault of the step ends. */
  readonly settle?: () => Promise<void>;
}

/** Takes the steps of a table; the database may fail during each step. */
export function takeFrom<Parts>({
  steps,
  parts,
  db,
  settle,
}: SteppedParts<Parts>): Pick<World, 'weights' | 'take'> {
  return {
    weights: Object.fromEntries(Object.entries(steps).map(([kind, { weight }]) => [kind, weight])),
    async take(kind, random) {
      const step = steps[kind];
      if (!step) throw new Error(`no step ${kind}`);
      const fault = planFault(db, random);
      const told = await step.take(parts, random);
      await settle?.();
      db.plan(null);
      return told + fault;
    },
  };
}
