// Runs in a mutated tree and tries mutants in one process, each by the seeds of the simulation that
// run its place. It reads an id a line, and writes a line for each seed and verdict.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { simulateBank } from '../simulation/bank/simulate-bank.ts';
import { simulateDeliveries } from '../simulation/deliveries/simulate-deliveries.ts';
import { simulatePayments } from '../simulation/payments/simulate-payments.ts';
import { Random } from '../simulation/run/random.ts';
import { drawSteps, type MakeWorld, runSteps } from '../simulation/run/run-steps.ts';
import type { Simulation } from './areas.ts';
import { coverage, switches } from './switch-mutants.ts';

const STEPS = 28;
/** Some places are run by one seed of ten. */
const SEEDS = 50;
const ALL: Readonly<Record<Simulation, MakeWorld>> = {
  payments: simulatePayments,
  bank: simulateBank,
  deliveries: simulateDeliveries,
};
/** A run of one world; its index is its name in `REACH`. */
const RUNS = (process.argv[2] ?? '').split(',').flatMap((name) => {
  const makeWorld = ALL[name as Simulation];
  return Array.from({ length: SEEDS }, (_, index) => ({ makeWorld, seed: index + 1 }));
});
type Run = (typeof RUNS)[number];
/** Kept beside the tree: another process of the same tree reads it. */
const FILES = { ids: 'mutants.json', reach: 'reach.json' };

const reach = existsSync(FILES.reach)
  ? (JSON.parse(readFileSync(FILES.reach, 'utf8')) as Reach)
  : await learnReach(JSON.parse(readFileSync(FILES.ids, 'utf8')));
for await (const id of createInterface({ input: process.stdin })) console.log(await tryMutant(id));

interface Reach {
  /** The runs that run the place of a mutant, by its id. */
  readonly runsOf: Readonly<Record<string, readonly number[]>>;
  /** The runs that were looked at; the rest may run any place that one of these runs. */
  readonly known: number;
}

/** Runs seeds without a mutant until every place of `ids` is run, at most all of them. */
async function learnReach(ids: readonly string[]): Promise<Reach> {
  const runsOf: Record<string, number[]> = {};
  let before = coverage();
  let known = 0;
  for (const [index, run] of RUNS.entries()) {
    if (ids.every((id) => runsOf[id])) break;
    if (await fails(run)) throw new Error(`seed ${run.seed} fails without a mutant`);
    console.log('SEED');
    const after = coverage();
    // A place that runs at load alone was decided before the switch.
    for (const id of Object.keys(after).filter((each) => after[each] !== before[each])) {
      runsOf[id] = [...(runsOf[id] ?? []), index];
    }
    before = after;
    known = index + 1;
  }
  writeFileSync(FILES.reach, JSON.stringify({ runsOf, known }));
  return { runsOf, known };
}

async function tryMutant(id: string): Promise<'UNREACHED' | 'KILLED' | 'SURVIVED' | 'DIRTY'> {
  const runs = reach.runsOf[id];
  if (!runs) return 'UNREACHED';
  console.log('START');
  for (const run of [...runs.flatMap((index) => RUNS[index] ?? []), ...RUNS.slice(reach.known)]) {
    switches().activeMutant = id;
    const isKilled = await fails(run);
    switches().activeMutant = undefined;
    console.log('SEED');
    // The seed passes without the mutant, unless a mutant has left something behind.
    if (isKilled) return (await fails(run)) ? 'DIRTY' : 'KILLED';
  }
  return 'SURVIVED';
}

async function fails({ makeWorld, seed }: Run): Promise<boolean> {
  try {
    const random = new Random(seed);
    const worldSeed = random.below(2 ** 31);
    const steps = drawSteps(makeWorld(new Random(worldSeed)), random, STEPS);
    return (await runSteps(makeWorld, worldSeed, steps)) !== null;
  } catch {
    return true;
  }
}
