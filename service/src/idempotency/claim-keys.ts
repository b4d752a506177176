import type { Executor } from '#database/database.ts';
import { insertAnswers, type KeyedAnswer, lockFreeKeys } from './idempotency-store.ts';
import type { IdempotentCall } from './read-idempotent-call.ts';

/**
 * Takes the Idempotency-Keys of many calls for this transaction, without waiting for other calls
 * (contract §4, Idempotency).
 *
 * @param calls null for a call without a key, which is always free
 * @returns in the calls' order: whether the call may be done now. A key that is taken leads to a
 *          stored answer or to a call in progress: use `answerOnce` for it.
 */
export async function claimFreeKeys(
  tx: Executor,
  calls: readonly (IdempotentCall | null)[],
): Promise<readonly boolean[]> {
  // The first of two calls with one key gets it.
  const first = new Map<string, IdempotentCall>();
  for (const call of calls) {
    if (call && !first.has(keyOf(call))) first.set(keyOf(call), call);
  }
  if (first.size === 0) return calls.map(() => true);
  const free = new Set((await lockFreeKeys(tx, [...first.values()])).map(keyOf));
  return calls.map(
    (call) => call === null || (first.get(keyOf(call)) === call && free.has(keyOf(call))),
  );
}

/** Stores the answers of claimed keys, in the transaction that claimed them. */
export async function saveClaimedAnswers(
  tx: Executor,
  answers: readonly KeyedAnswer[],
): Promise<void> {
  if (answers.length > 0) await insertAnswers(tx, answers);
}

/** Neither part holds a space. */
function keyOf({ merchantId, key }: Pick<IdempotentCall, 'merchantId' | 'key'>): string {
  return `${merchantId} ${key}`;
}
