import type { Database, Executor } from '#database/database.ts';
import { Problem } from '#lib/problem.ts';
import { findStoredAnswer, saveAnswer, tryLockKey } from './idempotency-store.ts';
import type { IdempotentCall } from './read-idempotent-call.ts';
import type { StoredAnswer } from './stored-answer.ts';

/**
 * The call that holds the key ends within a few milliseconds; a second is the shortest
 * `Retry-After`.
 */
const RETRY_AFTER_SECONDS = '1';

/** Refusals are not stored: a corrected call may use the same key. */
const FIRST_REFUSING_STATUS = 400;

/**
 * Does a call once, however often and to whichever process it is sent (contract §4, Idempotency).
 * `work` and its answer are committed in one transaction, and a repeated call gets that answer for
 * 72 h. `answerOnce` never waits for another call: a call that arrives while the first one runs is
 * refused.
 *
 * @param asked null for a call without a key: `work` just runs in a transaction.
 * @param work  runs at most once. An error rolls everything back and leaves the key free; an answer
 * of 400 and above is committed but not stored. Acts after the commit belong after `answerOnce`,
 * and only if `replayed` is false.
 * @throws Problem IDEMPOTENCY_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED, and the errors of `work`.
 */
export async function answerOnce(
  db: Database,
  asked: IdempotentCall | null,
  work: (tx: Executor) => Promise<StoredAnswer>,
): Promise<StoredAnswer & { readonly replayed: boolean }> {
  if (asked === null) return { ...(await db.transaction(work)), replayed: false };
  return db.transaction(async (tx) => {
    const isFirst = await tryLockKey(tx, asked);
    // A separate statement after the lock: it sees the commit of the last holder.
    const stored = await findStoredAnswer(tx, asked);
    if (stored) return { ...replayOf(stored, asked), replayed: true };
    if (!isFirst) throw inProgress();
    const answer = await work(tx);
    const isKept = answer.status < FIRST_REFUSING_STATUS;
    // While the lock is held no other call can have answered. If a call did answer, nothing is done
    // twice.
    if (isKept && !(await saveAnswer(tx, asked, answer))) throw inProgress();
    return { ...answer, replayed: false };
  });
}

function replayOf(
  { fingerprint, ...answer }: StoredAnswer & { readonly fingerprint: Buffer },
  asked: IdempotentCall,
): StoredAnswer {
  if (!fingerprint.equals(asked.fingerprint)) throw new Problem('IDEMPOTENCY_KEY_REUSED');
  return answer;
}

function inProgress(): Problem {
  return new Problem('IDEMPOTENCY_IN_PROGRESS', {
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}
