import assert from 'node:assert/strict';
import type { BankProduction } from '../bank/bank-production.ts';
import { type Books, compareRequest } from './compare-money.ts';
import * as acts from './money-acts.ts';
import { Seeded } from './seeded.ts';

/** The acts with their weights. */
const WEIGHTS: Readonly<Record<keyof typeof acts, number>> = {
  ...{ create: 2, pay: 6, takeBack: 2, cancel: 1, expire: 1, refund: 3, send: 3 },
  ...{ execute: 3, comeBack: 2, reject: 1, accept: 2, giveBack: 3 },
};
const STEPS = 18;
/** Each round settles something: a seed has some dozen movements. */
const MOST_ROUNDS = 60;

/**
 * Takes random steps over HTTP, bank files and the command line, and compares the service with the
 * model after each. At the end everything that waits is given back: nothing may be stuck.
 *
 * @param booked the sum at the bank before the seed
 * @returns the sum at the bank after it
 * @throws Error with the seed and its steps
 */
export async function runMoneySeed(
  bank: BankProduction,
  books: Books,
  seed: number,
  booked: number,
): Promise<number> {
  const scene: acts.Scene = { bank, random: new Seeded(seed), requests: [] };
  const told: string[] = [];
  const sum = () => scene.requests.reduce((cents, { bankCents }) => cents + bankCents, booked);
  const take = async (act: acts.Act): Promise<boolean> => {
    const step = await act(scene);
    if (step === null) return false;
    told.push(step);
    for (const model of scene.requests) await compareRequest(bank, model);
    await books.compare(bank, sum());
    return true;
  };
  try {
    await take(acts.create);
    for (let taken = 0; taken < STEPS; ) if (await take(draw(scene.random))) taken += 1;
    await settleAll(scene, take);
    return sum();
  } catch (error) {
    const steps = told.map((step, index) => `  ${index + 1}. ${step}`).join('\n');
    throw new Error(`seed ${seed} after\n${steps}\n${String(error)}`, { cause: error });
  }
}

function draw(random: Seeded): acts.Act {
  const names = Object.keys(WEIGHTS) as (keyof typeof acts)[];
  const drawn = names.flatMap((name) => Array.from({ length: WEIGHTS[name] }, () => name));
  return acts[random.pick(drawn) ?? 'pay'];
}

/** Refunds are executed, and money that waits is given back, until nothing is left to do. */
async function settleAll(
  scene: acts.Scene,
  take: (act: acts.Act) => Promise<boolean>,
): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const isOpen = (await take(acts.send)) || (await take(acts.execute));
    const isWaiting = scene.requests.some(({ needsAct }) => needsAct);
    if (isWaiting) await take(acts.giveBack);
    if (!isOpen && !isWaiting) return;
  }
  assert.fail(`money is stuck: ${scene.requests.map((each) => JSON.stringify(each)).join(' ')}`);
}
