import type { Database } from '#database/database.ts';
import { NIL_PAYMENT_REQUEST } from '#webhooks/model/delivery.ts';
import { cancelReplay, lockRunningReplay, type RunningReplay, stepReplay } from './replay-store.ts';

/**
 * So many of a replay wait for their first attempt at most: five rounds of an endpoint's eight
 * connections, behind which an event of now waits a moment; all else waits for nothing.
 */
const MOST_WAITING = 40;
/** Looked at in one step: a few milliseconds, also where hardly any is wanted. */
const MOST_EXAMINED = 500;

export interface ReplayDeps {
  readonly db: Database;
  /** Wakes the senders of all processes; after a commit. */
  readonly wakeSenders: () => void;
}

/**
 * Takes every running replay one step further, each in a transaction of its own: killed at any
 * moment, it goes on where it was.
 *
 * @returns whether any of them has room for more at once
 */
export async function runReplays(
  { db, wakeSenders }: ReplayDeps,
  stopping: AbortSignal,
): Promise<boolean> {
  let after = NIL_PAYMENT_REQUEST;
  let isMoreAtOnce = false;
  while (!stopping.aborted) {
    const position = after;
    const done = await db.transaction(async (tx) => {
      const running = await lockRunningReplay(tx, position);
      return running && { id: running.id, ...(await takeStep(tx, running)) };
    });
    if (!done) break;
    after = done.id;
    if (done.queued > 0) wakeSenders();
    isMoreAtOnce ||= done.isMoreAtOnce;
  }
  return isMoreAtOnce;
}

async function takeStep(
  tx: Parameters<typeof stepReplay>[0],
  { id, isEndpointDeleted, waiting }: RunningReplay,
): Promise<{ readonly queued: number; readonly isMoreAtOnce: boolean }> {
  if (isEndpointDeleted) {
    await cancelReplay(tx, id);
    return { queued: 0, isMoreAtOnce: false };
  }
  const room = MOST_WAITING - waiting;
  if (room <= 0) return { queued: 0, isMoreAtOnce: false };
  const { queued, isOver } = await stepReplay(tx, id, MOST_EXAMINED, room);
  return { queued, isMoreAtOnce: !isOver && queued < room };
}
