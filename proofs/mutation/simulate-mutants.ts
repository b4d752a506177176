// Runs in a mutated tree and tries many mutants in one process, each by seeds of the simulation. It
// writes a line before and after each mutant.
import { simulateBank } from '../simulation/bank/simulate-bank.ts';
import { simulateDeliveries } from '../simulation/deliveries/simulate-deliveries.ts';
import { simulatePayments } from '../simulation/payments/simulate-payments.ts';
import { Random } from '../simulation/run/random.ts';
import { drawSteps, type MakeWorld, runSteps } from '../simulation/run/run-steps.ts';
import type { Simulation } from './areas.ts';
import { coverage, switches } from './switch-mutants.ts';

const [names = '', ids = '', seeds = '50'] = process.argv.slice(2);
const STEPS = 28;
const ALL: Readonly<Record<Simulation, MakeWorld>> = {
  payments: simulatePayments,
  bank: simulateBank,
  deliveries: simulateDeliveries,
};
const worlds = names.split(',').map((name) => ALL[name as Simulation]);

const atLoad = coverage();
await failsWithin(3);
const reached = coverage();
for (const id of ids.split(',')) {
  // A place that runs at load alone was decided before the switch.
  const isRun = (reached[id] ?? 0) > (atLoad[id] ?? 0);
  if (!isRun) {
    console.log(`UNREACHED ${id}`);
    continue;
  }
  console.log(`START ${id}`);
  switches().activeMutant = id;
  const isKilled = await failsWithin(Number(seeds));
  switches().activeMutant = undefined;
  console.log(`${isKilled ? 'KILLED' : 'SURVIVED'} ${id}`);
}
// A mutant must leave nothing behind that makes the next one fail.
if (await failsWithin(3)) throw new Error('the simulation fails without a mutant');
process.exit(0);

async function failsWithin(count: number): Promise<boolean> {
  for (let seed = 1; seed <= count; seed += 1) {
    for (const makeWorld of worlds) {
      if (await fails(makeWorld, seed)) return true;
    }
  }
  return false;
}

async function fails(makeWorld: MakeWorld, seed: number): Promise<boolean> {
  try {
    const random = new Random(seed);
    const worldSeed = random.below(2 ** 31);
    const steps = drawSteps(makeWorld(new Random(worldSeed)), random, STEPS);
    return (await runSteps(makeWorld, worldSeed, steps)) !== null;
  } catch {
    return true;
  }
}
