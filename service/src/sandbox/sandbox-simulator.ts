import type { Executor } from '#database/database.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import { canStillBePaid } from '#payment-requests/model/can-still-be-paid.ts';
import { type PaymentRequest, paymentRequestAt } from '#payment-requests/model/payment-request.ts';
import type { Status } from '#payment-requests/model/statuses.ts';
import {
  type MoveDeps,
  type MoveResult,
  moveInTransaction,
  tellOfMoves,
  type UncommittedMove,
} from '#payment-requests/status/change-status.ts';
import { bringExpiryForward, lockPaymentRequest } from '#payment-requests/status/status-store.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import { ACTIONS } from './outcomes.ts';
import {
  type ClaimedStep,
  claimDueSteps,
  findNextDueMs,
  markStepsDone,
} from './sandbox-step-store.ts';
import { simulatedCause } from './simulated-cause.ts';

export interface SandboxSimulatorDeps extends MoveDeps {
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Steps of other processes' requests are found this late at most; due ones have an alarm. */
const POLL_INTERVAL_MS = 1_000;
/** A step that just fell due may wait for the one before it, in another process: no busy spin. */
const SHORTEST_ALARM_MS = 10;
/** One claim's share: well below what its five seconds allow. */
const BATCH = 64;
/** Moves at once: leaves most of the pool's connections to those who wait for an answer. */
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
 * Does one batch of due steps, each through the one door for a change of status. A process that
 * dies between a move and its mark leaves the step to be done again: the move is then refused.
 *
 * @returns whether there was any: one that waited for the step before it may be due now.
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

/** Judged under the lock: since the claim the merchant may have cancelled. */
async function runStep(deps: SandboxSimulatorDeps, step: ClaimedStep): Promise<void> {
  const { paymentRequestId, position } = step;
  const { result, moves } = await deps.db.transaction((tx) => moveByStep(tx, deps, step));
  tellOfMoves(deps, moves);
  if (result) deps.metrics.simulationLate(step.lateMs);
  deps.log.debug(
    { paymentRequestId, position, outcome: result?.outcome ?? 'DOES_NOT_APPLY' },
    'simulated step done',
  );
}

async function moveByStep(
  tx: Executor,
  deps: SandboxSimulatorDeps,
  step: ClaimedStep,
): Promise<UncommittedMove<MoveResult | null>> {
  const { paymentRequestId, action } = step;
  const locked = await lockPaymentRequest(tx, paymentRequestId);
  const now = deps.clock.now();
  if (!locked || !(await applies(tx, step, paymentRequestAt(locked, now)))) {
    return { result: null, moves: [] };
  }
  if (action === 'EXPIRE') await bringExpiryForward(tx, paymentRequestId, now);
  return moveInTransaction(tx, deps, paymentRequestId, simulatedCause(action, step, now));
}

/**
 * Whether a step still does something. After an outage in which the request expired too, what was
 * due first decides, and not which loop comes first: money that was on its way before the expiry
 * arrives late, any other outcome comes too late (decision 0006).
 */
async function applies(
  tx: Executor,
  { action, dueAt }: ClaimedStep,
  current: PaymentRequest,
): Promise<boolean> {
  // As it was when the money was due.
  const open = { ...current, status: 'CREATED' as const };
  if (action === 'SUCCEED' && current.status === 'EXPIRED') {
    return dueAt < current.expiresAt && canStillBePaid(tx, open);
  }
  const statuses: readonly Status[] = ACTIONS[action];
  if (!statuses.includes(current.status)) return false;
  const isPaying = action === 'SUCCEED' || action === 'ACCEPT';
  return !isPaying || canStillBePaid(tx, current);
}
