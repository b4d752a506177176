import type { Executor } from '#database/database.ts';
import { listConnections } from './connection-store.ts';
import { countUnclearFiles, findUnsentSeconds } from './sent-file-store.ts';

/** A bank's nightly work takes minutes; the alerts have this number. */
const LONGEST_FAILURE_SECONDS = 3_600;

/** A sentence for each connection that fails, and for payment files that do not reach the bank. */
export async function findFailing(db: Executor): Promise<string[]> {
  const failing = (await listConnections(db)).filter(
    ({ badSeconds, isUnread }) => !isUnread && badSeconds > LONGEST_FAILURE_SECONDS,
  );
  const sentences = failing.map(({ number, reason }) =>
    `Bank connection ${number} has had no good round for an hour. ${reason ?? ''}`.trimEnd(),
  );
  if ((await countUnclearFiles(db)) > 0) {
    sentences.push(
      'The bank may have a payment file or not: ask the bank, then run payreq bank payment-file ' +
        'settle.',
    );
  } else if ((await findUnsentSeconds(db)) > LONGEST_FAILURE_SECONDS) {
    sentences.push('A released payment file has not reached the bank for an hour.');
  }
  return sentences;
}

/** A sentence for each connection that no process looks at any more, until a person removes it. */
export async function findUnread(db: Executor): Promise<string[]> {
  const unread = (await listConnections(db)).filter(({ isUnread }) => isUnread);
  return unread.map(({ number, roundAt, dueAt }) => {
    const since = (roundAt ?? dueAt).toISOString().slice(0, 16);
    return (
      `No process has looked at bank connection ${number} since ${since}Z: its settings are ` +
      'gone, or no process of the role background runs. If it is gone for good: payreq bank ' +
      `connection remove ${number}.`
    );
  });
}
