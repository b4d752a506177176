import { DatabaseUnavailable } from '#database/database.ts';
import { type MoveDeps, movePaymentRequest, tellOfMoves } from './change-status.ts';
import { type PlannedMove, planExpiry } from './plan-change.ts';
import { lockDueToExpire } from './status-store.ts';
import { writeMoves } from './write-changes.ts';

/**
 * One transaction's share. Its rows stay locked while it is written, some 50 ms: a cancellation of
 * one of them waits that long at most. Larger ones gain little.
 */
const BATCH = 200;

/**
 * Writes down the expiries that have passed (contract §5), a batch in one transaction of four
 * statements. Several processes share what is due: none waits for what another one holds.
 *
 * @returns whether more may be due.
 * @throws  the first failure, when some of the batch could not be moved even alone.
 */
export async function expirePaymentRequests(deps: MoveDeps, signal: AbortSignal): Promise<boolean> {
  let due: readonly string[] = [];
  let moves: readonly PlannedMove[] = [];
  try {
    moves = await deps.db.transaction(async (tx) => {
      const now = deps.clock.now();
      const locked = await lockDueToExpire(tx, now, BATCH);
      due = locked.map(({ id }) => id);
      const planned = locked.flatMap((paymentRequest) => planExpiry(paymentRequest, now) ?? []);
      if (planned.length > 0) await writeMoves(tx, deps, planned);
      return planned;
    });
  } catch (error) {
    if (error instanceof DatabaseUnavailable || due.length === 0) throw error;
    await expireOneByOne(deps, due, signal);
  }
  tellOfMoves(deps, moves);
  return due.length === BATCH;
}

/** One that cannot be moved must not hold up the rest of its batch for ever. */
async function expireOneByOne(
  deps: MoveDeps,
  due: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const id of due) {
    if (signal.aborted) return;
    await movePaymentRequest(deps, id, { name: 'EXPIRY_PASSED' }).catch((error) =>
      failures.push(error),
    );
  }
  if (failures.length > 0) throw failures[0];
}
