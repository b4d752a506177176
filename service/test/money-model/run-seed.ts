import assert from 'node:assert/strict';
import type { BankProduction } from '../support/bank/bank-production.ts';
import { accept, correct, giveBack, split } from './case-acts.ts';
import { type Books, compareRequest } from './compare-money.ts';
import {
  type Act,
  cancel,
  comeBack,
  create,
  execute,
  expire,
  pay,
  payUnclear,
  refund,
  reject,
  type Scene,
  send,
  takeBack,
} from './money-acts.ts';
import { Seeded } from './seeded.ts';

/** How often each act is drawn, in relation to the others. */
const WEIGHTS: readonly (readonly [Act, number])[] = [
  [create, 2],
  [pay, 6],
  [payUnclear, 1],
  [takeBack, 2],
  [cancel, 1],
  [expire, 1],
  [refund, 3],
  [send, 3],
  [execute, 3],
  [comeBack, 2],
  [reject, 1],
  [accept, 2],
  [giveBack, 3],
  [split, 2],
  [correct, 2],
];
const DRAWN = WEIGHTS.flatMap(([act, weight]) => Array.from({ length: weight }, () => act));
/** Each round settles something: a seed has some dozen movements. */
const MOST_ROUNDS = 60;

export interface MoneySeed {
  readonly seed: number;
  readonly steps: number;
  /** The sum at the bank before the seed, in cents. */
  readonly booked: number;
}

/**
 * Takes random steps over HTTP, bank files and the command line, and compares the service with the
 * model after each. At the end everything that waits is given back: nothing may be stuck.
 *
 * @returns the sum at the bank after it
 * @throws Error with the seed and its steps
 */
export async function runMoneySeed(
  bank: BankProduction,
  books: Books,
  { seed, steps, booked }: MoneySeed,
): Promise<number> {
  const scene: Scene = { bank, random: new Seeded(seed), requests: [] };
  const told: string[] = [];
  const sum = () => scene.requests.reduce((cents, { bankCents }) => cents + bankCents, booked);
  const take = async (act: Act): Promise<boolean> => {
    const step = await act(scene);
    if (step === null) return false;
    // The clock stands still otherwise, and no case would be the latest.
    await bank.service.advance(1);
    told.push(step);
    for (const model of scene.requests) await compareRequest(bank, model);
    await books.compare(bank, sum());
    return true;
  };
  try {
    await take(create);
    for (let taken = 0; taken < steps; )
      if (await take(scene.random.pick(DRAWN) ?? pay)) taken += 1;
    await settleAll(scene, take);
    return sum();
  } catch (error) {
    const list = told.map((step, index) => `  ${index + 1}. ${step}`).join('\n');
    throw new Error(`seed ${seed} after\n${list}\n${String(error)}`, { cause: error });
  }
}

/** Refunds are executed, and money that waits is given back, until nothing is left to do. */
async function settleAll(scene: Scene, take: (act: Act) => Promise<boolean>): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const isOpen = (await take(send)) || (await take(execute));
    const isWaiting = scene.requests.some(({ needsAct }) => needsAct);
    if (isWaiting) await take(giveBack);
    if (!isOpen && !isWaiting) return;
  }
  assert.fail(`money is stuck: ${scene.requests.map((each) => JSON.stringify(each)).join(' ')}`);
}
