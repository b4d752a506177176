import { simulateBank } from '../bank/simulate-bank.ts';
import { simulateDeliveries } from '../deliveries/simulate-deliveries.ts';
import { simulateMessages } from '../messages/simulate-messages.ts';
import { simulatePayments } from '../payments/simulate-payments.ts';
import { Random } from '../run/random.ts';
import { drawSteps, type MakeWorld, runSteps, shrinkSteps } from '../run/run-steps.ts';

/** The parts of the service that each seed simulates, one after the other. */
const SCENARIOS: Readonly<Record<string, MakeWorld>> = {
  payments: simulatePayments,
  bank: simulateBank,
  deliveries: simulateDeliveries,
  messages: simulateMessages,
};

/** Enough for every fault that was planted; ten thousand seeds then take less than a minute. */
const STEPS = 28;

export interface SeedFailure {
  readonly seed: number;
  readonly scenario: string;
  readonly message: string;
  /** The place of an error that is no broken invariant. */
  readonly stack: string | null;
  /** The shortest list of steps that still fails. */
  readonly told: readonly string[];
}

/** @returns the first failure of the seed, with its steps shortened; null: everything held */
export async function simulateSeed(seed: number): Promise<SeedFailure | null> {
  for (const [scenario, makeWorld] of Object.entries(SCENARIOS)) {
    const random = new Random(seed);
    const worldSeed = random.below(2 ** 31);
    const steps = drawSteps(makeWorld(new Random(worldSeed)), random, STEPS);
    const failure = await runSteps(makeWorld, worldSeed, steps);
    if (!failure) continue;
    const { failure: shortest } = await shrinkSteps(makeWorld, worldSeed, steps, failure);
    const { error, told } = shortest;
    const stack = error.name === 'BrokenInvariant' ? null : (error.stack ?? null);
    return { seed, scenario, message: error.message, stack, told };
  }
  return null;
}

/** The failure as a person reads it. */
export function printFailure({ seed, scenario, message, stack, told }: SeedFailure): string {
  const steps = told.map((each, index) => `  ${index + 1}. ${each}`);
  return [`seed ${seed}, ${scenario}: ${message}`, ...steps, ...(stack ? [stack] : [])].join('\n');
}
