import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Executor } from '#database/database.ts';
import { systemClock } from '#lib/clock.ts';
import { advanceExpiry } from '#payment-requests/status/expiry-store.ts';
import { lockPaymentRequest } from '#payment-requests/status/lock-store.ts';
import { advancePolls } from '#refunds/network/poll-store.ts';
import { advanceDeliveries, endAdvancedDeliveries } from '#webhooks/sending/advance-store.ts';
import { advanceSteps } from '../sandbox-step-store.ts';
import type { DueType } from './advance-schemas.ts';
import { type Due, deleteAdvance, findDue, takeFromAdvance } from './advance-store.ts';

export interface CarryOutDeps {
  readonly db: Database;
  /** Brings the scheduled messages of a payment request forward. */
  readonly advanceMessages: (tx: Executor, id: string, us: number) => Promise<void>;
  /** Does what is due of each type; for webhooks it wakes the sender. */
  readonly run: Readonly<
    Record<DueType, (signal: AbortSignal, paymentRequestId: string) => Promise<unknown>>
  >;
  /** Called after each commit, for those who wait for a change. */
  readonly onAdvanced: (paymentRequestId: string) => void;
}

/** Twenty endpoints with eleven attempts of four events make 880; polls of a held refund more. */
const MOST_JUMPS = 1_000;
/** Waits take real time. An attempt takes 15 s at most; what is still due is passed. */
const LONGEST_WAIT_MS = 20_000;
/** A sender claims within some milliseconds what no circuit breaker holds. */
const HELD_AFTER_MS = 500;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 250;

/**
 * Advances the time of a payment request from one due instant to the next (decision 0154). Each
 * jump moves all of its due instants by one transaction, so that none overtakes another. All that
 * fell due is over before the next jump, or has had its longest wait.
 */
export async function carryOutAdvance(
  deps: CarryOutDeps,
  { id, token }: Claim,
  signal: AbortSignal,
): Promise<void> {
  let jumpedAtMs = systemClock.steadyMs();
  for (let jumps = 0; !signal.aborted; ) {
    const waitedMs = systemClock.steadyMs() - jumpedAtMs;
    const isLast = jumps >= MOST_JUMPS;
    const step = await deps.db.transaction((tx) =>
      nextStep(tx, deps, { id, token }, waitedMs, isLast),
    );
    if (step === null) return;
    if (step.isJump) {
      jumps += 1;
      jumpedAtMs = systemClock.steadyMs();
      deps.onAdvanced(id);
    }
    if (step.due) await deps.run[step.due.type](signal, id);
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, Math.min(LONGEST_PAUSE_MS, waitedMs / 4));
    if (!step.isJump) await pause(pauseMs, undefined, { signal }).catch(() => {});
  }
}

/** A payment request whose advance a process carries out, as long as the row has its token. */
interface Claim {
  readonly id: string;
  readonly token: string;
}

interface Step {
  /** Now due; undefined: nothing. */
  readonly due: Due | undefined;
  readonly isJump: boolean;
}

/** @returns null: the advance is over, or another process has it */
async function nextStep(
  tx: Executor,
  { advanceMessages }: CarryOutDeps,
  { id, token }: Claim,
  waitedMs: number,
  isLast: boolean,
): Promise<Step | null> {
  // Calls lock in this order, too.
  await lockPaymentRequest(tx, id);
  const remainingUs = await takeFromAdvance(tx, id, token, 0);
  if (remainingUs === null) return null;
  const all = await findDue(tx, id);
  const due = all.find(({ aheadUs }) => aheadUs <= 0);
  if (due && waitedMs < LONGEST_WAIT_MS) {
    if (due.type === 'WEBHOOK_ATTEMPT' && waitedMs > HELD_AFTER_MS)
      await advanceDeliveries(tx, id, 0);
    return { due, isJump: false };
  }
  if (remainingUs === 0) {
    await endAdvancedDeliveries(tx, id);
    await deleteAdvance(tx, id);
    return null;
  }
  const next = all.find(({ aheadUs }) => aheadUs > 0);
  const aheadUs = next?.aheadUs ?? remainingUs;
  const us = isLast ? remainingUs : Math.min(aheadUs, remainingUs);
  const scheduled = [advanceExpiry, advanceSteps, advancePolls, advanceMessages, advanceDeliveries];
  for (const advance of scheduled) await advance(tx, id, us);
  await takeFromAdvance(tx, id, token, us);
  return { due: us >= aheadUs ? next : undefined, isJump: true };
}
