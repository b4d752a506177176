import type { Executor } from '#database/database.ts';
import { findProfile } from '#merchants/profile/find-profile.ts';
import { MESSAGE_KINDS } from '#messages/model/kinds.ts';
import type { NewMessage } from '#messages/model/message.ts';
import { outsideOfNight } from '#messages/model/quiet-hours.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';

/**
 * When messages leave that are due at given times (messages §1): reminders, and SMS that no call
 * asked for, leave out the night in the merchant's zone. The night is that of the payment request's
 * own time, which the sandbox may have advanced.
 *
 * @param timeZone `TIME_ZONE`, for merchants without their own
 */
export async function quietTimes(
  db: Executor,
  timeZone: string,
  p: PaymentRequest,
  { kind, channel, isAsked }: Pick<NewMessage, 'kind' | 'channel' | 'isAsked'>,
): Promise<(at: Date) => Date> {
  const { quietHours = true } = p.messagePlan ?? {};
  const isHeld = MESSAGE_KINDS[kind].isReminder || (channel === 'SMS' && !isAsked);
  if (!quietHours || !isHeld) return (at) => at;
  const { timeZone: own } = await findProfile(db, p.merchant.id);
  // Due instants that an advance brought forward were outside of the night before it.
  const advancedMs = (p.sandboxAdvancedUs ?? 0) / 1_000;
  const moved = (at: Date, byMs: number) => new Date(at.getTime() + byMs);
  const expiresAt = moved(p.expiresAt, advancedMs);
  return (at) =>
    moved(outsideOfNight(moved(at, advancedMs), expiresAt, own ?? timeZone), -advancedMs);
}
