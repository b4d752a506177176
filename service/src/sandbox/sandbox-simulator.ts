import type { Executor } from '#database/database.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import { findSuspendedMerchants } from '#payment-requests/lookup/suspended-merchant-store.ts';
import { canStillBePaid } from '#payment-requests/model/can-still-be-paid.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { isOpen, isReachedBy, type Status } from '#payment-requests/model/statuses.ts';
import { type ChangeStatusDeps, changeLocked } from '#payment-requests/status/change-status.ts';
import { bringExpiryForward } from '#payment-requests/status/expiry-store.ts';
import { lockPaymentRequest } from '#payment-requests/status/lock-store.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import { isPossibleIn } from './outcomes.ts';
import {
  type ClaimedStep,
  claimDueSteps,
  findNextDueMs,
  markStepsDone,
} from './sandbox-step-store.ts';
import { simulatedCause } from './simulated-cause.ts';

export interface SandboxSimulatorDeps extends ChangeStatusDeps {
  readonly log: Log;
  readonly metrics: Metrics;
}

/** A step of another process's request is found this late at most; an alarm wakes the rest. */
const POLL_INTERVAL_MS = 1_000;
/** A step that is due may wait for the step before it, in another process: no busy loop. */
const SHORTEST_ALARM_MS = 10;
/** A claim's share: far fewer steps than its five seconds allow. */
const BATCH = 64;
/** Steps at a time: leaves most of the pool's connections to calls. */
const CONCURRENCY = 4;

/** Starts the loop that makes simulated outcomes happen at their moment (contract §8). */
export function startSandboxSimulator(deps: SandboxSimulatorDeps): Loop {
  let alarm: NodeJS.Timeout | undefined;

  const loop = startLoop({
    name: 'sandbox-simulator',
    intervalMs: POLL_INTERVAL_MS,
    run: async (signal) => {
      clearTimeout(alarm);
      if (await runDueSteps(deps, signal)) return true;
      const aheadMs = await findNextDueMs(deps.db);
      if (aheadMs !== null && aheadMs < POLL_INTERVAL_MS && !signal.aborted) {
        alarm = setTimeout(() => loop.wake(), Math.max(SHORTEST_ALARM_MS, Math.ceil(aheadMs)));
      }
      return false;
    },
    onError: (error) => {
      deps.metrics.loopFailed('sandbox-simulator');
      deps.log.error({ loop: 'sandbox-simulator', err: error }, 'background loop failed');
    },
  });

  return {
    wake: () => loop.wake(),
    turns: () => loop.turns(),
    async stop() {
      await loop.stop();
      clearTimeout(alarm);
    },
  };
}

/**
 * Does a batch of due steps. A process that dies between a change of status and its mark leaves
 * the step to be done again: the table then refuses the change.
 *
 * @returns whether there was any: a step that waited for the step before it may be due now.
 * @throws  the first failure, after all other steps of the batch are done and marked.
 */
export async function runDueSteps(
  deps: SandboxSimulatorDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const claimed = await claimDueSteps(deps.db, BATCH);
  const queue = claimed.values();
  const done: ClaimedStep[] = [];
  const failures: unknown[] = [];

  async function work(): Promise<void> {
    for (const step of queue) {
      if (signal.aborted) return;
      try {
        await runStep(deps, step);
        done.push(step);
      } catch (error) {
        failures.push(error);
      }
    }
  }

  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await markStepsDone(deps.db, done);
  if (failures.length > 0) throw failures[0];
  return claimed.length > 0;
}

/** Checked under the lock: since the claim the merchant may have cancelled. */
async function runStep(deps: SandboxSimulatorDeps, step: ClaimedStep): Promise<void> {
  const { paymentRequestId, position } = step;
  const written = await deps.db.transaction((tx) => changeByStep(tx, deps, step));
  written?.publish();
  if (written) deps.metrics.simulationLate(step.lateMs);
  const outcome = written?.plan.outcome ?? 'DOES_NOT_APPLY';
  deps.log.debug({ paymentRequestId, position, outcome }, 'simulated step done');
}

async function changeByStep(tx: Executor, deps: SandboxSimulatorDeps, step: ClaimedStep) {
  const { paymentRequestId, action, reasonCode } = step;
  let locked = await lockPaymentRequest(tx, paymentRequestId);
  const now = deps.clock.now();
  if (!locked || !(await applies(tx, step, paymentRequestAt(locked, now)))) return null;
  if (action === 'EXPIRE') locked = await bringExpiryForward(tx, locked, now);
  return changeLocked(tx, deps, locked, simulatedCause(action, locked, reasonCode, now));
}

/**
 * Whether a step still applies. After an outage in which the request expired too, the earlier due
 * time decides, and not the order of the loops: money that was on its way before the expiry
 * arrives late, any other outcome comes too late (decision 0006).
 */
async function applies(
  tx: Executor,
  { action, dueAt }: ClaimedStep,
  current: PaymentRequest,
): Promise<boolean> {
  const isMoney = action === 'SUCCEED';
  if (isMoney && isReachedBy('EXPIRY_PASSED', current.status)) {
    // The request was open when the money was due.
    return dueAt < current.expiresAt && canPay(tx, current, 'CREATED');
  }
  if (!isPossibleIn(current.status, action)) return false;
  return isMoney || action === 'ACCEPT' ? canPay(tx, current, current.status) : true;
}

async function canPay(tx: Executor, { merchant }: PaymentRequest, status: Status) {
  const suspended = await findSuspendedMerchants(tx, isOpen(status) ? [merchant.id] : []);
  return canStillBePaid(status, suspended.has(merchant.id) ? 'SUSPENDED' : 'ACTIVE');
}
