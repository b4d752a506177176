import { findAbsent } from '../memory/absent-rows.ts';
import { checkMoneyOfRequests } from '../payments/check-money.ts';
import { checkRefunds } from '../payments/check-refunds.ts';
import { checkRequests } from '../payments/check-requests.ts';
import { cancel, expire, stepClock, wait } from '../payments/merchant-steps.ts';
import { settle } from '../payments/operator-steps.ts';
import { settleAll } from '../payments/settle-all.ts';
import { BrokenInvariant } from '../run/broken-invariant.ts';
import type { Random } from '../run/random.ts';
import type { MakeWorld } from '../run/run-steps.ts';
import { type StepTable, takeFrom } from '../run/step-table.ts';
import {
  announce,
  book,
  create,
  match,
  report,
  reportAbsent,
  state,
  stateDay,
} from './bank-steps.ts';
import { BankWorld } from './bank-world.ts';
import { checkAllArrived, checkBank, checkBooks } from './check-bank.ts';

const STEPS: StepTable<BankWorld> = {
  create: { weight: 3, take: create },
  book: { weight: 8, take: book },
  announce: { weight: 5, take: announce },
  state: { weight: 4, take: state },
  match: { weight: 9, take: match },
  report: { weight: 7, take: report },
  'report-absent': { weight: 2, take: reportAbsent },
  wait: { weight: 4, take: ({ payments }, random) => wait(payments, random) },
  'set-clock': { weight: 1, take: ({ payments }, random) => stepClock(payments, random) },
  expire: { weight: 1, take: ({ payments }) => expire(payments) },
  cancel: { weight: 1, take: ({ payments }, random) => cancel(payments, random) },
  settle: {
    weight: 2,
    take: async ({ payments }, random) =>
      payments.requests.rows.all().length > 0 ? settle(payments, random) : 'no case',
  },
};

/** A file has fewer entries than one transaction takes. */
const MOST_ROUNDS = 200;
const DAY_MS = 86_400_000;

/**
 * Simulates bank statements with the real matching and the real reports. Money comes in several
 * messages, in any order, in parts, and is returned; the database fails at any statement.
 */
export const simulateBank: MakeWorld = (random) => {
  const world = new BankWorld(random);
  const { payments } = world;
  const check = () => {
    checkRequests(payments);
    checkMoneyOfRequests(payments);
    checkRefunds(payments);
    checkBank(world);
  };
  return {
    ...takeFrom({ steps: STEPS, parts: world, db: payments.db }),
    check,
    async finish() {
      payments.clock.advance(10 * DAY_MS);
      await endMatching(world, random);
      for (const each of world.truth.days()) stateDay(world, each);
      await endMatching(world, random);
      check();
      checkAllArrived(world);
      await settleAll(payments, random);
      check();
      checkBooks(world);
    },
  };
};

async function endMatching(world: BankWorld, random: Random): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const isMatched = world.bank.filesToMatch().length === 0;
    if (!isMatched) await match(world, random);
    const left = world.bank.movements.where(({ isReported, outcome }) => {
      return !isReported && outcome !== 'WAITING';
    });
    if (left.length > 0) await report(world, random);
    else if (findAbsent(world.bank).length > 0) await reportAbsent(world, random);
    else if (isMatched) return;
  }
  throw new BrokenInvariant('statements are not matched and reported after 200 rounds');
}
