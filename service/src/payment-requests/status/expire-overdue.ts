import { DatabaseUnavailable } from '#database/database.ts';
import { planChange } from '#payment-requests/model/plan-change.ts';
import {
  type ChangeStatusDeps,
  changeStatus,
  changeStatuses,
  type Written,
} from './change-status.ts';
import { lockDueToExpire } from './lock-store.ts';

/**
 * The rows of a batch stay locked while the batch is written, some 50 ms: a cancellation of one of
 * the rows waits that long at most. Larger batches gain little.
 */
const BATCH = 200;

const EXPIRY_PASSED = { name: 'EXPIRY_PASSED' } as const;

/**
 * Writes the expiries that have passed (contract §5), a batch in one transaction of four
 * statements. Several processes share the work, and none waits for rows that another one holds.
 *
 * @returns whether more may be due.
 * @throws  the first failure, when some of the batch could not be changed even alone.
 */
export async function expirePaymentRequests(
  deps: ChangeStatusDeps,
  signal: AbortSignal,
): Promise<boolean> {
  let due: readonly string[] = [];
  let written: Written | null = null;
  try {
    written = await deps.db.transaction(async (tx) => {
      const now = deps.clock.now();
      const locked = await lockDueToExpire(tx, now, BATCH);
      due = locked.map(({ id }) => id);
      const plans = locked.map((paymentRequest) => planChange(paymentRequest, EXPIRY_PASSED, now));
      return changeStatuses(tx, deps, plans);
    });
  } catch (error) {
    if (error instanceof DatabaseUnavailable || due.length === 0) throw error;
    await expireOneByOne(deps, due, signal);
  }
  written?.publish();
  return due.length === BATCH;
}

/** A payment request that cannot be changed must not hold up the rest of its batch for ever. */
async function expireOneByOne(
  deps: ChangeStatusDeps,
  due: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const id of due) {
    if (signal.aborted) return;
    await changeStatus(deps, id, EXPIRY_PASSED).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
