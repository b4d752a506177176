/** What came of one attempt, as far as trying again depends on it. */
export interface Attempt {
  /** null: no answer came. */
  readonly status: number | null;
  /** The problem's code, if the answer was one. */
  readonly code: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

/** Passing states: too many calls at once, or a service or proxy that is away for a moment. */
const PASSING = new Set([429, 502, 503, 504]);
/** Said before anything is done, so that even a call that must not be repeated can be. */
const UNDONE = 429;
/** The first wait: a service that restarts is back in about a second, after three of them. */
const FIRST_DELAY_MS = 250;
/** Whoever waits for a call has given up long before a longer wait ends. */
const LONGEST_DELAY_MS = 8_000;
/** A longer Retry-After is the caller's to wait for: it stands in the error. */
const LONGEST_RETRY_AFTER_SECONDS = 30;

/**
 * How long to wait before the next attempt; null when there must be none. Waits grow by powers of
 * two and are spread at random, so that callers who failed together do not come back together.
 *
 * @param failed     how many attempts there have been
 * @param repeatable whether a call that may have been done can be sent again
 * @param random     0 up to but not including 1
 */
export function retryDelayMs(
  attempt: Attempt,
  { failed, repeatable, random }: { failed: number; repeatable: boolean; random: number },
): number | null {
  if (!isPassing(attempt)) return null;
  if (!repeatable && attempt.status !== UNDONE) return null;
  const { retryAfterSeconds = 0 } = attempt;
  if (retryAfterSeconds > LONGEST_RETRY_AFTER_SECONDS) return null;
  const ceilingMs = Math.min(FIRST_DELAY_MS * 2 ** (failed - 1), LONGEST_DELAY_MS);
  // From half of it upwards: a wait of nothing would only add to the load that made it fail.
  const spreadMs = ceilingMs * (0.5 + random / 2);
  // What the service asks for is the least; the spread comes on top.
  return retryAfterSeconds > 0 ? retryAfterSeconds * 1000 + spreadMs : spreadMs;
}

function isPassing({ status, code }: Attempt): boolean {
  // Our own first attempt is still running over there: its answer is what the next one gets.
  return status === null || PASSING.has(status) || code === 'IDEMPOTENCY_IN_PROGRESS';
}

/**
 * Reads Retry-After: seconds or a date (RFC 9110, 10.2.3). Junk counts as absent.
 * @param now milliseconds since 1970
 */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
