import { randomUUID } from 'node:crypto';
import { LONGEST_EXCHANGE_MS } from '#lib/mail/mailer.ts';
import type { ClaimedMessage } from '#messages/model/message.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';
import { aboutOf, attemptMessage, recordOwnFault } from './attempt-message.ts';
import { claimMessages, countClaimed, isAnyDue, lockChannel } from './claim-store.ts';
import {
  breakChannel,
  MOST_DATA_REFUSALS,
  PROBE_SECONDS,
  type SendMessagesDeps,
} from './record-outcome.ts';

/** The longest exchange, and statements that meet one silent connection each (12 s). */
const LEASE_SECONDS = LONGEST_EXCHANGE_MS / 1_000 + 60;
/** Exchanges at a time: each has a connection to the mail server, and leaves the pool to calls. */
const CONCURRENCY = 8;

/** A run of the loop ends with its slowest exchange. */
export const LONGEST_SENDING_MS = LEASE_SECONDS * 1_000;

/**
 * Sends the due messages of a channel, as many as its rate and its breaker let through.
 *
 * @returns whether more may be due now
 */
export async function sendMessages(
  deps: SendMessagesDeps,
  channel: Channel,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await isAnyDue(deps.db, channel))) return false;
  const leaseToken = randomUUID();
  const claimed = await claim(deps, channel, leaseToken);
  const queue = claimed.values();
  async function work(): Promise<void> {
    for (const message of queue) {
      // A message that is not begun falls due again with the end of its lease.
      if (signal.aborted) return;
      try {
        await attemptMessage(deps, message, leaseToken, signal);
      } catch (err) {
        deps.log.error({ ...aboutOf(message), err }, 'message attempt failed');
        // Where the database is away, the end of the lease makes the message due again.
        await recordOwnFault(deps, message, leaseToken).catch(() => {});
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return claimed.length === CONCURRENCY;
}

/** Claims under the lock of the channel's row: the rate is one rate over all processes. */
function claim(
  deps: SendMessagesDeps,
  channel: Channel,
  leaseToken: string,
): Promise<readonly ClaimedMessage[]> {
  const { db, ratePerSecond } = deps;
  return db.transaction(async (tx) => {
    const state = await lockChannel(tx, channel);
    if (!state) return [];
    if (!state.isOpen && state.dataRefusals > MOST_DATA_REFUSALS) {
      await breakChannel(deps, tx, channel, 'CONTENT');
      return [];
    }
    const allowed = state.isOpen ? Number(state.mayProbe) : ratePerSecond - state.claimed;
    const limit = Math.min(allowed, CONCURRENCY);
    if (limit <= 0) return [];
    const claimed = await claimMessages(tx, channel, limit, leaseToken, LEASE_SECONDS);
    await countClaimed(tx, channel, claimed.length, PROBE_SECONDS);
    return claimed;
  });
}
