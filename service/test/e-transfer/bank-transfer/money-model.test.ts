import { after, before, describe, it } from 'node:test';
import { type BankProduction, startBankProduction } from '../../support/bank/bank-production.ts';
import { Books } from '../../support/money-model/compare-money.ts';
import { runMoneySeed } from '../../support/money-model/run-seed.ts';

/** `npm run test:slow` takes more. */
const SEEDS = 20;

let bank: BankProduction;
before(async () => {
  bank = await startBankProduction({ settings: { REFUNDS_PER_DAY: '1000000' } });
});
after(() => bank.stop());

describe('money by bank transfer', () => {
  it('is where the contract says, after each step of random seeds', async () => {
    const books = new Books();
    let booked = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      booked = await runMoneySeed(bank, books, seed, booked);
    }
  });
});
