import type { NetworkTimes } from '#e-transfer/e-transfer-network.ts';

const MINUTE_MS = 60_000;
const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1_000;

/** Contract §4: `expiryDateTime` lies at least 5 minutes ahead. */
export const LEAST_AHEAD_MS = 5 * MINUTE_MS;

/** How far ahead an expiry lies; a network states its own (bank-transfer §1). */
export type ExpiryTimes = Pick<NetworkTimes, 'defaultExpirySeconds' | 'longestExpirySeconds'>;

/** Contract §4: 24 hours when left out, 365 days at most. */
export const CONTRACT_TIMES: ExpiryTimes = {
  defaultExpirySeconds: DAY_SECONDS,
  longestExpirySeconds: 365 * DAY_SECONDS,
};

/** The fault code of an expiry that was sent; null if the expiry is allowed. */
export function expiryFault(
  expiresAt: Date,
  now: Date,
  { longestExpirySeconds }: ExpiryTimes,
): 'TOO_LOW' | 'TOO_HIGH' | null {
  const aheadMs = expiresAt.getTime() - now.getTime();
  if (aheadMs < LEAST_AHEAD_MS) return 'TOO_LOW';
  return aheadMs > longestExpirySeconds * 1_000 ? 'TOO_HIGH' : null;
}

/** The allowed expiries, for a message. */
export function expiryRange({ longestExpirySeconds }: ExpiryTimes): string {
  return `5 minutes to ${Math.floor(longestExpirySeconds / DAY_SECONDS)} days ahead`;
}

/**
 * The expiry of a payment request without one of its own (contract §4): the default time after the
 * creation, or the end of `dueDate` (UTC) if that is later; clamped to the allowed range.
 */
export function defaultExpiry(
  createdAt: Date,
  dueDate: string | null,
  now: Date,
  { defaultExpirySeconds, longestExpirySeconds }: ExpiryTimes,
): Date {
  const endOfDueDate = dueDate === null ? 0 : Date.parse(`${dueDate}T00:00:00.000Z`) + DAY_MS;
  const wanted = Math.max(createdAt.getTime() + defaultExpirySeconds * 1_000, endOfDueDate);
  const most = createdAt.getTime() + longestExpirySeconds * 1_000;
  return new Date(Math.max(Math.min(wanted, most), now.getTime() + LEAST_AHEAD_MS));
}
