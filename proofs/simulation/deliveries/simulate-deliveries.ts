import type { MakeWorld } from '../run/run-steps.ts';
import { type StepTable, takeFrom } from '../run/step-table.ts';
import { checkAllEnded, DeliveryChecks } from './check-deliveries.ts';
import {
  changeReceiver,
  enqueue,
  enqueueOne,
  failLong,
  kill,
  poll,
  progress,
  resume,
  stepClock,
  tidy,
  wait,
} from './delivery-steps.ts';
import { DeliveryWorld, everythingSettled } from './delivery-world.ts';

const STEPS: StepTable<DeliveryWorld> = {
  enqueue: { weight: 5, take: enqueue },
  poll: { weight: 12, take: poll },
  progress: { weight: 12, take: progress },
  wait: { weight: 7, take: wait },
  'set-clock': { weight: 1, take: stepClock },
  receiver: { weight: 5, take: changeReceiver },
  kill: { weight: 2, take: kill },
  resume: { weight: 2, take: resume },
  tidy: { weight: 1, take: tidy },
  outage: { weight: 1, take: failLong },
};

/** A breaker probes once an hour at last, and a day has a delivery's longest wait. */
const MOST_ROUNDS = 300;
const ROUND_MS = 3_700_000;

/**
 * Simulates the outbox with the real sender over a model of the claim: leases, order, breakers and
 * pauses. Senders crash, receivers fail in every way, and the clock is set.
 */
export const simulateDeliveries: MakeWorld = (random) => {
  const checks = new DeliveryChecks();
  const world = new DeliveryWorld(random, {
    onStart: (row) => checks.onStart(row),
    onWrite: (exchange) => checks.onWrite(exchange),
    onEnd: () => checks.check(),
  });
  checks.watch(world);
  return {
    ...takeFrom({ steps: STEPS, parts: world, db: world.db, settle: everythingSettled }),
    check: () => checks.check(),
    async finish() {
      world.receivers.modes.clear();
      // Every receiver gets something, so that every breaker can close.
      for (const place of world.requests.keys()) await enqueueOne(world, place);
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        while (world.exchanges.length > 0) {
          const [next] = world.exchanges;
          if (next) await world.progress(next);
        }
        const isHeld = ({ endpoint_id: id }: { readonly endpoint_id: string | null }) =>
          id !== null && world.deliveries.endpoints.get(id)?.status === 'PAUSED';
        if (world.deliveries.pending().every(isHeld)) break;
        for (const sender of world.senders) await world.claim(sender);
        await everythingSettled();
        await tidy(world);
        if (world.exchanges.length === 0) world.clock.advance(ROUND_MS);
      }
      checkAllEnded(world);
    },
  };
};
