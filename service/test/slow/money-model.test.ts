import { describe, it } from 'node:test';
import { Books } from '../money-model/compare-money.ts';
import { runMoneySeed } from '../money-model/run-seed.ts';
import { startBankProduction } from '../support/bank/bank-production.ts';

const SEEDS = 200;
/** The daily limit of refunds ends no seed: each service takes a few. */
const SEEDS_OF_SERVICE = 20;
const STEPS = 20;

describe('money by bank transfer', () => {
  for (let from = 1; from <= SEEDS; from += SEEDS_OF_SERVICE) {
    const last = from + SEEDS_OF_SERVICE - 1;
    it(`is where the contract says, after each step of the seeds ${from} to ${last}`, async () => {
      const bank = await startBankProduction();
      const books = new Books();
      let booked = 0;
      try {
        for (let seed = from; seed <= last; seed += 1) {
          booked = await runMoneySeed(bank, books, { seed, steps: STEPS, booked });
        }
      } finally {
        await bank.stop();
      }
    });
  }
});
