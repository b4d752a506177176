// Runs in a mutated tree and tries mutants in one process, each by the fast tests and the seeds of
// the simulation that run its place. It reads an id a line, and writes a line for each run and
// verdict.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { simulateBank } from '../simulation/bank/simulate-bank.ts';
import { simulateDeliveries } from '../simulation/deliveries/simulate-deliveries.ts';
import { simulatePayments } from '../simulation/payments/simulate-payments.ts';
import { Random } from '../simulation/run/random.ts';
import { drawSteps, type MakeWorld, runSteps } from '../simulation/run/run-steps.ts';
import type { Simulation } from './areas.ts';
import { COLLECTED } from './collect-tests.ts';
import { coverage, switches } from './switch-mutants.ts';

const STEPS = 28;
/** Some places are run by one seed of ten. */
const SEEDS = 50;
const ALL: Readonly<Record<Simulation, MakeWorld>> = {
  payments: simulatePayments,
  bank: simulateBank,
  deliveries: simulateDeliveries,
};

/** A test or a seed; its index is its name in `REACH`. */
interface Run {
  readonly name: string;
  /** @throws when it fails */
  readonly run: () => unknown;
}

const [simulations = '', tests = ''] = process.argv.slice(2);
const RUNS: readonly Run[] = [
  ...(await loadTests(tests.split(',').filter((each) => each !== ''))),
  ...simulations.split(',').flatMap(seedsOf),
];
/** Kept beside the tree: another process of the same tree reads it. */
const FILES = { ids: 'mutants.json', reach: 'reach.json' };

const reach = existsSync(FILES.reach)
  ? (JSON.parse(readFileSync(FILES.reach, 'utf8')) as Reach)
  : await learnReach(JSON.parse(readFileSync(FILES.ids, 'utf8')));
for await (const id of createInterface({ input: process.stdin })) console.log(await tryMutant(id));

async function loadTests(paths: readonly string[]): Promise<readonly Run[]> {
  const url = new URL('collect-tests.ts', import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node:test' ? { url, shortCircuit: true } : next(specifier, context),
  });
  for (const path of paths) await import(pathToFileURL(resolve(path)).href);
  return COLLECTED;
}

function seedsOf(simulation: string): readonly Run[] {
  const makeWorld = ALL[simulation as Simulation];
  if (!makeWorld) return [];
  return Array.from({ length: SEEDS }, (_, index) => ({
    name: `seed ${index + 1} of ${simulation}`,
    run: () => simulate(makeWorld, index + 1),
  }));
}

async function simulate(makeWorld: MakeWorld, seed: number): Promise<void> {
  const random = new Random(seed);
  const worldSeed = random.below(2 ** 31);
  const steps = drawSteps(makeWorld(new Random(worldSeed)), random, STEPS);
  const failure = await runSteps(makeWorld, worldSeed, steps);
  if (failure) throw failure.error;
}

interface Reach {
  /** The runs that run the place of a mutant, by its id. */
  readonly runsOf: Readonly<Record<string, readonly number[]>>;
  /** The runs that were looked at; the rest may run any place that one of these runs. */
  readonly known: number;
}

/** Runs all tests, and seeds until every place of `ids` is run, without a mutant. */
async function learnReach(ids: readonly string[]): Promise<Reach> {
  const runsOf: Record<string, number[]> = {};
  let before = coverage();
  let known = 0;
  for (const [index, run] of RUNS.entries()) {
    if (index >= COLLECTED.length && ids.every((id) => runsOf[id])) break;
    const error = await errorOf(run);
    if (error) throw new Error(`${run.name} fails without a mutant`, { cause: error });
    console.log('RUN');
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

async function tryMutant(id: string): Promise<string> {
  const runs = reach.runsOf[id];
  if (!runs) return 'UNREACHED';
  console.log('START');
  for (const run of [...runs.flatMap((index) => RUNS[index] ?? []), ...RUNS.slice(reach.known)]) {
    switches().activeMutant = id;
    const error = await errorOf(run);
    switches().activeMutant = undefined;
    console.log('RUN');
    // The run passes without the mutant, unless a mutant has left something behind.
    if (error) return (await errorOf(run)) ? 'DIRTY' : `KILLED ${run.name}`;
  }
  return 'SURVIVED';
}

async function errorOf({ run }: Run): Promise<unknown> {
  try {
    await run();
    return null;
  } catch (error) {
    return error ?? new Error('nothing was thrown');
  }
}
