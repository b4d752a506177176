const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Contract §4: `expiryDateTime` lies 5 minutes to 365 days ahead; 24 hours when left out. */
const LEAST_AHEAD_MS = 5 * MINUTE_MS;
const MOST_AHEAD_MS = 365 * DAY_MS;
const DEFAULT_AHEAD_MS = DAY_MS;

/** The fault code of an expiry; null if the expiry is allowed. */
export function expiryFault(expiresAt: Date, now: Date): 'TOO_LOW' | 'TOO_HIGH' | null {
  const aheadMs = expiresAt.getTime() - now.getTime();
  if (aheadMs < LEAST_AHEAD_MS) return 'TOO_LOW';
  return aheadMs > MOST_AHEAD_MS ? 'TOO_HIGH' : null;
}

/**
 * The expiry of a payment request whose creation names no expiry (contract §4): 24 hours after the
 * creation, or the end of `dueDate` (UTC) if that is later; at most 365 days ahead.
 */
export function defaultExpiry(createdAt: Date, dueDate: string | null): Date {
  const created = createdAt.getTime();
  const endOfDueDate = dueDate === null ? 0 : Date.parse(`${dueDate}T00:00:00.000Z`) + DAY_MS;
  const wanted = Math.max(created + DEFAULT_AHEAD_MS, endOfDueDate);
  return new Date(Math.min(wanted, created + MOST_AHEAD_MS));
}
