import type { DeliveryOutcome } from './outcomes.ts';

/** A listener that is overloaded or slow is left alone for at least this long. */
export const SLOW_LISTENER_WAIT_SECONDS = 60;
/** A listener may ask for patience, but not stop its deliveries. */
const LONGEST_RETRY_AFTER_SECONDS = 3_600;
/** Only added, so that no attempt comes before its time; enough to spread a burst. */
const MOST_JITTER = 0.1;

export const BUSY_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** The outcomes of a listener that does not answer in time. */
export const TIME_OUTS: ReadonlySet<DeliveryOutcome> = new Set([
  'TIMED_OUT',
  'CONNECT_TIMED_OUT',
  'NAME_TIMED_OUT',
]);

export interface AttemptEnd {
  readonly outcome: DeliveryOutcome;
  readonly httpStatus: number | null;
  /** The wait that the answer's `Retry-After` asked for, read by `parseRetryAfter`. */
  readonly retryAfterSeconds: number | null;
}

export interface RetryDeps {
  /** The wait before each attempt, after the one before; its length is the number of attempts. */
  readonly schedule: readonly number[];
  /** A number from 0 up to but not 1, as `Math.random`. */
  readonly random: () => number;
}

/** The decision about a delivery after an attempt. */
export interface NextStep {
  readonly status: 'PENDING' | 'SUCCEEDED' | 'EXHAUSTED';
  /** Until the next attempt, while PENDING. */
  readonly delaySeconds: number | null;
  /** The listener said 410: nothing more is sent to the endpoint until it is resumed. */
  readonly pauseEndpoint: boolean;
}

/**
 * Decides what follows an attempt (delivery §2).
 *
 * @param attempt     the number of the attempt that ended, from 1
 * @param hasEndpoint whether the delivery is for a registered endpoint, which can be paused
 */
export function nextStep(
  { schedule, random }: RetryDeps,
  end: AttemptEnd,
  attempt: number,
  hasEndpoint: boolean,
): NextStep {
  if (end.outcome === 'SUCCEEDED') return over('SUCCEEDED');
  const gone = end.outcome === 'GONE';
  if (gone && !hasEndpoint) return over('EXHAUSTED');
  // A delivery that a paused endpoint holds is never given up, also where this was the last
  // attempt.
  const scheduled = schedule[attempt] ?? (gone ? schedule.at(-1) : undefined);
  if (scheduled === undefined) return over('EXHAUSTED');
  const slow = TIME_OUTS.has(end.outcome) || BUSY_STATUSES.has(end.httpStatus ?? 0);
  const wait = Math.max(
    scheduled,
    slow ? SLOW_LISTENER_WAIT_SECONDS : 0,
    end.retryAfterSeconds ?? 0,
  );
  const delaySeconds = wait * (1 + MOST_JITTER * random());
  return { status: 'PENDING', delaySeconds, pauseEndpoint: gone };
}

function over(status: 'SUCCEEDED' | 'EXHAUSTED'): NextStep {
  return { status, delaySeconds: null, pauseEndpoint: false };
}

/** The three forms of a date that RFC 9110 §5.6.7 names; `Date.parse` takes nearly anything. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Reads a `Retry-After` header: seconds or an HTTP date.
 *
 * @returns seconds from 0 to 3,600 (more counts as 3,600); null for anything else.
 */
export function parseRetryAfter(value: unknown, now: Date): number | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^\d+$/.test(text)) return clamp(Number(text));
  if (!HTTP_DATES.some((form) => form.test(text))) return null;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : clamp((at - now.getTime()) / 1000);
}

function clamp(seconds: number): number {
  return Math.min(Math.max(seconds, 0), LONGEST_RETRY_AFTER_SECONDS);
}
