import { after, before, describe, it } from 'node:test';
import { type BankProduction, startBankProduction } from '../support/bank/bank-production.ts';
import { Books } from './compare-money.ts';
import { runMoneySeed } from './run-seed.ts';

/** service/test/slow/money-model.test.ts takes 200, with more steps. */
const SEEDS = 6;
const STEPS = 8;

let bank: BankProduction;
before(async () => {
  bank = await startBankProduction();
});
after(() => bank.stop());

describe('money by bank transfer', () => {
  it('is where the contract says, after each step of random seeds', async () => {
    const books = new Books();
    let booked = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      booked = await runMoneySeed(bank, books, { seed, steps: STEPS, booked });
    }
  });
});
