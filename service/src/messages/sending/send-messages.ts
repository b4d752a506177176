import { randomUUID } from 'node:crypto';
import type { LoopWork } from '#lib/loop.ts';
import { LONGEST_EXCHANGE_MS } from '#lib/mail/mailer.ts';
import { aboutOf, type ClaimedMessage } from '#messages/model/message.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';
import { attemptMessage, recordOwnFault } from './attempt-message.ts';
import { claimMessages, countClaimed, isAnyDue, lockChannel } from './claim-store.ts';
import { PROBE_SECONDS, type SendMessagesDeps } from './record-outcome.ts';

/** The longest exchange, and statements that meet one silent connection each (12 s). */
const LEASE_SECONDS = LONGEST_EXCHANGE_MS / 1_000 + 60;
/** Exchanges at a time: each has a connection to the mail server, and leaves the pool to calls. */
const CONCURRENCY = 8;

/** A payer waits for the link beside the merchant's phone: it leaves within a second. */
const INTERVAL_MS = 500;

/**
 * Sends the due messages of a channel, as many as its rate and its breaker let through. The end of
 * each exchange makes room for another message, so that a slow one holds nothing but itself.
 */
export function sendingWork(
  deps: SendMessagesDeps,
  channel: Channel,
): LoopWork & Required<Pick<LoopWork, 'over'>> {
  const running = new Set<Promise<void>>();
  async function attempt(message: ClaimedMessage, leaseToken: string, signal: AbortSignal) {
    try {
      await attemptMessage(deps, message, leaseToken, signal);
    } catch (err) {
      deps.log.error({ ...aboutOf(message), err }, 'message attempt failed');
      // While the database is away, the end of the lease makes the message due again.
      await recordOwnFault(deps, message, leaseToken).catch(() => {});
    }
  }
  return {
    name: `send-messages-${channel.toLowerCase()}`,
    intervalMs: INTERVAL_MS,
    async run(signal, wake) {
      const free = CONCURRENCY - running.size;
      if (free === 0 || !(await isAnyDue(deps.db, channel))) return false;
      const leaseToken = randomUUID();
      for (const message of await claim(deps, channel, free, leaseToken)) {
        // A message that is not begun falls due again with the end of its lease.
        if (signal.aborted) break;
        const exchange = attempt(message, leaseToken, signal).then(() => {
          running.delete(exchange);
          wake();
        });
        running.add(exchange);
      }
      return false;
    },
    over: () => Promise.all(running),
  };
}

/**
 * Claims under the lock of the channel's row: the rate is one rate over all processes. While
 * another process has the lock there is nothing to wait for: that process claims what is due.
 */
function claim(
  { db, ratePerSecond, hourlyLimits }: SendMessagesDeps,
  channel: Channel,
  free: number,
  leaseToken: string,
): Promise<readonly ClaimedMessage[]> {
  return db.transaction(async (tx) => {
    const state = await lockChannel(tx, channel);
    if (!state) return [];
    const allowed = state.isOpen ? Number(state.mayProbe) : ratePerSecond - state.claimed;
    const limit = Math.min(allowed, free);
    if (limit <= 0) return [];
    const perHour = hourlyLimits[channel];
    const claimed = await claimMessages(tx, channel, limit, leaseToken, LEASE_SECONDS, perHour);
    await countClaimed(tx, channel, claimed.length, PROBE_SECONDS);
    return claimed;
  });
}
