import type { Executor } from '#database/database.ts';
import { MESSAGE_KINDS } from '#messages/model/kinds.ts';
import { aboutOf, type ClaimedMessage } from '#messages/model/message.ts';
import { lockAddress, readAddressLoad } from './address-limit-store.ts';
import type { SendMessagesDeps } from './record-outcome.ts';
import type { AttemptRecord } from './record-store.ts';

/** An exchange takes seconds; then what it sends has left, or has not. */
export const UNTIL_LEFT_SECONDS = 10;

/** A person who gets more from one merchant in a day is pestered (messages §5). */
const MOST_FROM_MERCHANT = 10;
/** A person who gets more from all merchants in a day is the target of someone (messages §5). */
const ALARMING_IN_DAY = 30;

/**
 * Counts what the address has got in the last 24 hours, and what is leaving for it. The transaction
 * that lets a message leave goes on with the lock of its address, so that the next one counts it.
 *
 * @returns how a message beyond the merchant's limit goes on; null: it may leave
 */
export async function checkAddressLimit(
  tx: Executor,
  { log, metrics }: Pick<SendMessagesDeps, 'log' | 'metrics'>,
  message: ClaimedMessage,
  addressHash: Buffer,
): Promise<Partial<AttemptRecord> | null> {
  const { id, merchantId, kind, channel } = message;
  await lockAddress(tx, addressHash);
  const load = await readAddressLoad(tx, id, merchantId, addressHash, MOST_FROM_MERCHANT);
  if (!load) return null;
  const { own, leaving, all, waitSeconds } = load;
  if (waitSeconds !== null) {
    return MESSAGE_KINDS[kind].isReminder ? { status: 'FAILED', reason: 'LIMIT' } : { waitSeconds };
  }
  if (own + leaving >= MOST_FROM_MERCHANT) return { waitSeconds: UNTIL_LEFT_SECONDS };
  if (all >= ALARMING_IN_DAY) {
    metrics.addressOverloaded(channel);
    log.warn({ ...aboutOf(message) }, 'address gets many messages');
  }
  return null;
}
