import { BrokenInvariant } from './broken-invariant.ts';
import { Random } from './random.ts';
import type { Step, World } from './world.ts';

/** Makes the world of a seed. */
export type MakeWorld = (random: Random) => World;

export interface Failure {
  readonly error: Error;
  /** The steps so far in words. */
  readonly told: readonly string[];
}

/** Steps that a seed draws, by the weights of the world. */
export function drawSteps(world: World, random: Random, count: number): Step[] {
  const kinds = Object.entries(world.weights).flatMap(([kind, weight]) =>
    Array.from({ length: weight }, () => kind),
  );
  return Array.from({ length: count }, () => ({
    kind: random.pick(kinds),
    seed: random.below(2 ** 31),
  }));
}

/** Takes the steps in a new world, and checks after each. @returns null: everything held */
export async function runSteps(
  makeWorld: MakeWorld,
  worldSeed: number,
  steps: readonly Step[],
): Promise<Failure | null> {
  const told: string[] = [];
  try {
    const world = makeWorld(new Random(worldSeed));
    for (const { kind, seed } of steps) {
      told.push(kind);
      told[told.length - 1] = `${kind}: ${await world.take(kind, new Random(seed))}`;
      world.check();
    }
    told.push('end: every fault is over, and all that is due is done');
    await world.finish();
    world.check();
    return null;
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)), told };
  }
}

/** An invariant that fails, or the same error: a shorter list must show the same fault. */
function isSameFault(one: Error, other: Error): boolean {
  if (one instanceof BrokenInvariant && other instanceof BrokenInvariant) return true;
  return one.message === other.message;
}

/** Enough for some 40 steps; each round runs a shorter list. */
const MOST_ROUNDS = 400;

/** Removes steps, halves first and then one by one, as long as the fault stays. */
export async function shrinkSteps(
  makeWorld: MakeWorld,
  worldSeed: number,
  steps: readonly Step[],
  failure: Failure,
): Promise<{ readonly steps: readonly Step[]; readonly failure: Failure }> {
  let best = { steps, failure };
  let rounds = 0;
  for (let size = steps.length >> 1; size >= 1; size >>= 1) {
    let at = 0;
    while (at < best.steps.length && rounds < MOST_ROUNDS) {
      rounds += 1;
      const shorter = [...best.steps.slice(0, at), ...best.steps.slice(at + size)];
      const found = await runSteps(makeWorld, worldSeed, shorter);
      if (found && isSameFault(found.error, failure.error)) {
        best = { steps: shorter, failure: found };
      } else at += size;
    }
  }
  return best;
}
