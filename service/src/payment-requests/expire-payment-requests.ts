import type { MoveDeps } from './move-payment-request.ts';
import { movePaymentRequest } from './move-payment-request.ts';
import { findDueToExpire } from './payment-request-store.ts';

/** One run's share: a second of work at most, so that a stop never waits long for it. */
const BATCH = 200;

/** Moves at once: leaves most of the pool's connections to those who wait for an answer. */
const CONCURRENCY = 2;

/**
 * Writes down the expiries that have passed (contract §5), each through the one door.
 * @returns whether more are due.
 */
export async function expirePaymentRequests(deps: MoveDeps, signal: AbortSignal): Promise<boolean> {
  const due = await findDueToExpire(deps.db, deps.clock.now(), BATCH);
  const queue = due.values();
  async function work(): Promise<void> {
    for (const id of queue) {
      if (signal.aborted) return;
      await movePaymentRequest(deps, id, { name: 'EXPIRY_PASSED' });
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return due.length === BATCH;
}
