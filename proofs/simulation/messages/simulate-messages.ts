import { everythingSettled } from '../deliveries/delivery-world.ts';
import { checkRequests } from '../payments/check-requests.ts';
import { suspend } from '../payments/merchant-steps.ts';
import type { PaymentWorld } from '../payments/payment-world.ts';
import { reportOutcomes } from '../payments/report-steps.ts';
import type { Random } from '../run/random.ts';
import type { MakeWorld } from '../run/run-steps.ts';
import { type StepTable, takeFrom } from '../run/step-table.ts';
import { checkAllEnded, MessageChecks } from './check-messages.ts';
import {
  bounce,
  cancel,
  create,
  erase,
  expire,
  giveBack,
  kill,
  type Parts,
  pay,
  poll,
  progress,
  progressOne,
  race,
  wait,
} from './message-steps.ts';
import { MessageWorld } from './message-world.ts';

/** A step of the simulated payments. */
const ofPayments =
  (take: (world: PaymentWorld, random: Random) => Promise<string>) =>
  ({ world }: Parts, random: Random) =>
    take(world.payments, random);

const STEPS: StepTable<Parts> = {
  create: { weight: 4, take: create },
  poll: { weight: 9, take: poll },
  progress: { weight: 9, take: progress },
  race: { weight: 9, take: race },
  pay: { weight: 3, take: pay },
  report: { weight: 2, take: ofPayments(reportOutcomes) },
  cancel: { weight: 2, take: cancel },
  expire: { weight: 1, take: expire },
  erase: { weight: 2, take: erase },
  bounce: { weight: 3, take: bounce },
  wait: { weight: 5, take: wait },
  kill: { weight: 2, take: kill },
  suspend: { weight: 1, take: ofPayments(suspend) },
  refund: { weight: 5, take: giveBack },
};

/** A message is tried for a day, and the longest payment request is open for 26 hours. */
const MOST_ROUNDS = 120;
const ROUND_MS = 3_700_000;

/**
 * Simulates messages to payers with the real sender, hooks and reports over a model of their
 * tables. Payments, cancellations, erasures and bounces come between the parts of an exchange, and
 * at the moment of its last read; one of two processes dies, and the database fails.
 */
export const simulateMessages: MakeWorld = () => {
  const world = new MessageWorld();
  const checks = new MessageChecks(world);
  const parts = { world, checks };
  const check = () => {
    checks.check();
    checkRequests(world.payments);
  };
  return {
    ...takeFrom({ steps: STEPS, parts, db: world.payments.db, settle: everythingSettled }),
    check,
    async finish() {
      world.payments.requests.suspended.clear();
      const isLeft = () =>
        world.messages.rows.where(({ status }) => status === 'SCHEDULED').length > 0;
      for (let round = 0; round < MOST_ROUNDS && isLeft(); round += 1) {
        for (const { work } of world.senders) {
          await work.run(new AbortController().signal, () => {});
          await everythingSettled();
        }
        for (let [next] = world.exchanges; next; [next] = world.exchanges) {
          await progressOne(parts, next, null);
          check();
        }
        world.payments.clock.advance(ROUND_MS);
      }
      checkAllEnded(world);
    },
  };
};
