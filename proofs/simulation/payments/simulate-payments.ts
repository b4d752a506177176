import { createRefundReports } from '#refunds/network/apply-refund-reports.ts';
import { handOverRefunds } from '#refunds/network/hand-over.ts';
import { BrokenInvariant, must } from '../run/broken-invariant.ts';
import type { MakeWorld } from '../run/run-steps.ts';
import { type StepTable, takeFrom } from '../run/step-table.ts';
import { checkMoney } from './check-money.ts';
import { checkRefunds, checkRefundsAreOver } from './check-refunds.ts';
import { checkRequests } from './check-requests.ts';
import { cancel, create, expire, refund, stepClock, suspend, wait } from './merchant-steps.ts';
import { handOver, moveRefund, settle } from './operator-steps.ts';
import { PaymentWorld } from './payment-world.ts';
import { deliver, reportOutcomes } from './report-steps.ts';
import { settleAll } from './settle-all.ts';

const STEPS: StepTable<PaymentWorld> = {
  create: { weight: 3, take: create },
  report: { weight: 10, take: reportOutcomes },
  wait: { weight: 2, take: wait },
  'set-clock': { weight: 1, take: stepClock },
  expire: { weight: 1, take: expire },
  cancel: { weight: 1, take: cancel },
  suspend: { weight: 1, take: suspend },
  refund: { weight: 4, take: refund },
  'hand-over': { weight: 3, take: handOver },
  'move-refund': { weight: 3, take: moveRefund },
  settle: { weight: 3, take: settle },
};

/** Rounds of hand-over and polling until every refund is over. */
const MOST_ROUNDS = 60;
const POLL_MS = 3_700_000;

/**
 * Simulates payment requests, refunds, cases and the ledger with the use cases of the service.
 * Reports are lost, repeated, contradicted and reordered; the database fails at any statement.
 */
export const simulatePayments: MakeWorld = (random) => {
  const world = new PaymentWorld();
  const check = () => {
    checkRequests(world);
    checkMoney(world);
    checkRefunds(world);
  };
  return {
    ...takeFrom({ steps: STEPS, parts: world, db: world.db }),
    check,
    async finish() {
      world.requests.suspended.clear();
      for (const sent of world.truth.waiting()) await deliver(world, sent);
      must(world.truth.waiting().length === 0, () => 'a report has no answer without any fault');
      check();
      await endRefunds(world);
      await createRefundReports(world.refundDeps)(world.truth.refundOutcomes);
      check();
      world.clock.advance(LONGEST_OPEN_MS);
      await expire(world);
      const open = world.requests.rows.where(({ status }) => status === 'CREATED');
      must(open.length === 0, () => 'a payment request is CREATED after its expiry');
      checkRefundsAreOver(world);
      await settleAll(world, random);
      check();
    },
  };
};

const LONGEST_OPEN_MS = 30 * 3_600_000;

async function endRefunds(world: PaymentWorld): Promise<void> {
  const { signal } = new AbortController();
  world.truth.startAnswer = 'PROCESSING';
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (world.refunds.rows.where(({ nextPollAt }) => nextPollAt !== null).length === 0) return;
    await handOverRefunds(world.refundDeps, signal);
    for (const [id, { state }] of world.truth.refunds) {
      if (state.state === 'QUEUED' || state.state === 'PROCESSING') {
        world.truth.moveRefund(id, 'COMPLETED', world.clock.now());
      }
    }
    world.clock.advance(POLL_MS);
  }
  throw new BrokenInvariant('refunds are not over after 60 rounds');
}
