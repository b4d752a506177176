/** The outcome of an attempt, reduced to what a retry depends on. */
export interface Attempt {
  /** null when no answer arrived. */
  readonly status: number | null;
  /** The problem's code, if the answer was a problem. */
  readonly code: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

/** These server errors stay: the service lacks the method or the version of HTTP. */
const LASTING = new Set([501, 505]);
/** 429 precedes all work, so that even a call that is not repeatable can be retried. */
const NOT_DONE = 429;
/** The first delay. Three delays take about a second, the time of a restart. */
const FIRST_DELAY_MS = 250;
/** A caller gives up long before a longer delay ends. */
const LONGEST_DELAY_MS = 8_000;
/** The caller waits for a longer Retry-After itself; the error carries it. */
const LONGEST_RETRY_AFTER_SECONDS = 30;

/**
 * Gives the delay before the next attempt; null when no attempt may follow. Delays grow by powers
 * of two with random jitter, so that clients that failed together do not retry together.
 *
 * @param failed     number of attempts so far
 * @param repeatable whether a call that may have been done can be repeated
 * @param random     0 up to but not including 1
 */
export function retryDelayMs(
  attempt: Attempt,
  { failed, repeatable, random }: { failed: number; repeatable: boolean; random: number },
): number | null {
  if (!isTransient(attempt)) return null;
  if (!repeatable && attempt.status !== NOT_DONE) return null;
  const { retryAfterSeconds = 0 } = attempt;
  if (retryAfterSeconds > LONGEST_RETRY_AFTER_SECONDS) return null;
  const ceilingMs = Math.min(FIRST_DELAY_MS * 2 ** (failed - 1), LONGEST_DELAY_MS);
  // Jitter uses the upper half: a delay near zero would add to the load that caused the failure.
  const jitterMs = ceilingMs * (0.5 + random / 2);
  // Retry-After is the minimum; the jitter comes on top.
  return retryAfterSeconds > 0 ? retryAfterSeconds * 1000 + jitterMs : jitterMs;
}

function isTransient({ status, code }: Attempt): boolean {
  // With IDEMPOTENCY_IN_PROGRESS the first attempt still runs; the next attempt gets its answer.
  if (status === null || code === 'IDEMPOTENCY_IN_PROGRESS') return true;
  // The service keeps no 5xx under an idempotency key (contract §4), so that a retry is a new try.
  return status === NOT_DONE || (status >= 500 && !LASTING.has(status));
}

/**
 * Reads Retry-After: seconds or a date (RFC 9110, 10.2.3). An invalid value counts as absent.
 * @param now milliseconds since 1970
 */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
