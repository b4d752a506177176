import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Books } from '../money-model/compare-money.ts';
import { runMoneySeed } from '../money-model/run-seed.ts';
import { type BankProduction, startBankProduction } from '../support/bank/bank-production.ts';

const SEEDS = 200;
/** The daily limit of refunds ends no seed: each service takes a few. */
const SEEDS_OF_SERVICE = 20;
const STEPS = 20;
/** The defects that docs/reliability.md states. Each has a test that fails once it is corrected. */
const DEFECTS = [
  {
    seed: 127,
    title: 'the return of a larger corrected booking lowers a payment beside it',
    differs: /takes 591 of request 1 back\n(?:.*\n)+.*\+ +returned: 1332\n- +returned: 741\n/,
  },
];

async function withBank(use: (bank: BankProduction) => Promise<void>): Promise<void> {
  const bank = await startBankProduction();
  try {
    await use(bank);
  } finally {
    await bank.stop();
  }
}

describe('money by bank transfer', () => {
  for (let from = 1; from <= SEEDS; from += SEEDS_OF_SERVICE) {
    const last = from + SEEDS_OF_SERVICE - 1;
    it(`is where the contract says, after each step of the seeds ${from} to ${last}`, () =>
      withBank(async (bank) => {
        const books = new Books();
        let booked = 0;
        for (let seed = from; seed <= last; seed += 1) {
          if (DEFECTS.some((defect) => defect.seed === seed)) continue;
          booked = await runMoneySeed(bank, books, { seed, steps: STEPS, booked });
        }
      }));
  }

  for (const { seed, title, differs } of DEFECTS) {
    it(`has a stated defect in seed ${seed}: ${title}`, () =>
      withBank((bank) =>
        assert.rejects(
          runMoneySeed(bank, new Books(), { seed, steps: STEPS, booked: 0 }),
          ({ message }: Error) => differs.test(message),
        ),
      ));
  }
});
