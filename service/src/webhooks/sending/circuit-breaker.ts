import type { DeliveryOutcome } from '#webhooks/model/outcomes.ts';
import { TIME_OUTS } from '#webhooks/model/retry-schedule.ts';

/** Eight in flight may meet one moment's outage; ten in a row are more than that. */
const FAILURES_TO_OPEN = 10;
/** A listener that was restarted waits a minute for what it is owed, one long away an hour. */
const FIRST_PROBE_SECONDS = 60;
const LONGEST_PROBE_SECONDS = 3_600;
/** Longer than any schedule of attempts, and than a long weekend. */
const GIVE_UP_SECONDS = 5 * 86_400;

/** How a destination has been failing. */
export interface DestinationState {
  /** In a row. */
  readonly failures: number;
  /** The last attempt timed out, and nothing has answered since: one may be sent at a time. */
  readonly isTimingOut: boolean;
  /** Since when it is only probed; null: it is not. */
  readonly openedAt: Date | null;
  /** Failed ones, since then. */
  readonly probes: number;
  readonly nextProbeAt: Date | null;
  /** Until when a delivery is taken to be under way, where one may be sent at a time. */
  readonly serialisedUntil: Date | null;
}

/** Whose failure an attempt that did not succeed is, where the delivery has no endpoint. */
type Blame = 'URL' | 'ORIGIN' | 'NOBODY';

/**
 * An answer of the receiver counts for the URL alone: other URLs of the origin may be well. An
 * attempt without an answer counts for the origin (delivery §2).
 */
const BLAME: Readonly<Record<DeliveryOutcome, Blame>> = {
  SUCCEEDED: 'NOBODY',
  // The delivery is over with it, and other deliveries may be wanted.
  GONE: 'NOBODY',
  REDIRECTED: 'URL',
  REFUSED_BY_LISTENER: 'URL',
  MALFORMED_ANSWER: 'URL',
  ANSWER_TOO_LARGE: 'URL',
  TIMED_OUT: 'ORIGIN',
  CONNECT_TIMED_OUT: 'ORIGIN',
  NAME_TIMED_OUT: 'ORIGIN',
  NAME_NOT_RESOLVED: 'ORIGIN',
  // Scheme and port are the origin's; the rest was validated when the URL was saved.
  FORBIDDEN_URL: 'ORIGIN',
  FORBIDDEN_ADDRESS: 'ORIGIN',
  CONNECTION_REFUSED: 'ORIGIN',
  UNREACHABLE: 'ORIGIN',
  CONNECTION_LOST: 'ORIGIN',
  ANSWER_TOO_EARLY: 'ORIGIN',
  CERTIFICATE_INVALID: 'ORIGIN',
  TLS_FAILED: 'ORIGIN',
  UNKNOWN_FAILURE: 'ORIGIN',
};

/** Pure. A connection that ended after a status line did reach the URL. */
export function blameOf({
  outcome,
  httpStatus,
}: Pick<DestinationAttempt, 'outcome' | 'httpStatus'>): Blame {
  return outcome === 'CONNECTION_LOST' && httpStatus !== null ? 'URL' : BLAME[outcome];
}

/** The part of an attempt that says something about its destination. */
export interface DestinationAttempt {
  readonly outcome: DeliveryOutcome;
  readonly httpStatus: number | null;
  readonly retryAfterSeconds: number | null;
  /** It was the one that a destination in trouble may be sent at a time. */
  readonly isSerialised: boolean;
  /** It was sent to see whether a destination is back. */
  readonly isProbe: boolean;
}

/** The changes of a destination that are reported to the operator. */
export type DestinationChange = 'FAILING' | 'WELL' | 'GIVEN_UP';

export const CLOSED: DestinationState = {
  failures: 0,
  isTimingOut: false,
  openedAt: null,
  probes: 0,
  nextProbeAt: null,
  serialisedUntil: null,
};

/** How a destination stands after one attempt more (delivery §2). Pure. */
export function afterAttempt(
  state: DestinationState,
  attempt: DestinationAttempt,
  now: Date,
): DestinationState {
  if (attempt.outcome === 'SUCCEEDED') return CLOSED;
  const timedOut = TIME_OUTS.has(attempt.outcome);
  const next = {
    ...state,
    failures: state.failures + 1,
    isTimingOut: timedOut || (state.isTimingOut && attempt.httpStatus === null),
    serialisedUntil: attempt.isSerialised ? null : state.serialisedUntil,
  };
  const wait = (seconds: number) =>
    new Date(now.getTime() + Math.max(seconds, attempt.retryAfterSeconds ?? 0) * 1000);
  if (state.nextProbeAt === null) {
    if (next.failures < FAILURES_TO_OPEN) return next;
    return { ...next, openedAt: now, probes: 0, nextProbeAt: wait(FIRST_PROBE_SECONDS) };
  }
  if (!attempt.isProbe) {
    // The attempt was under way when the others failed; its requested wait still holds.
    const latestMs = Math.max(wait(0).getTime(), state.nextProbeAt.getTime());
    return { ...next, nextProbeAt: new Date(latestMs) };
  }
  const probes = state.probes + 1;
  return { ...next, probes, nextProbeAt: wait(probeDelaySeconds(probes)) };
}

/** How an origin stands after an attempt without an endpoint: any answer shows it up. Pure. */
export function originAfter(
  state: DestinationState,
  attempt: DestinationAttempt,
  now: Date,
): DestinationState {
  return blameOf(attempt) === 'ORIGIN' ? afterAttempt(state, attempt, now) : CLOSED;
}

/** How a URL stands after an attempt without an endpoint. Pure. */
export function urlAfter(
  state: DestinationState,
  attempt: DestinationAttempt,
  now: Date,
): DestinationState {
  if (attempt.outcome === 'SUCCEEDED') return CLOSED;
  const blame = blameOf(attempt);
  if (blame === 'URL') return afterAttempt(state, attempt, now);
  const serialisedUntil = attempt.isSerialised ? null : state.serialisedUntil;
  // A probe that found the origin down says nothing about the URL; the next probe still waits.
  const isDelayed = blame === 'ORIGIN' && attempt.isProbe && state.nextProbeAt !== null;
  const nextProbeAt = isDelayed
    ? new Date(now.getTime() + FIRST_PROBE_SECONDS * 1000)
    : state.nextProbeAt;
  return { ...state, serialisedUntil, nextProbeAt };
}

/** The wait after so many failed probes: a minute, doubling up to an hour. */
function probeDelaySeconds(probes: number): number {
  return Math.min(FIRST_PROBE_SECONDS * 2 ** probes, LONGEST_PROBE_SECONDS);
}

/** The change of a destination by attempts that ended one after the other. Pure. */
export function changeOf(
  before: DestinationState,
  after: DestinationState,
  now: Date,
): DestinationChange | null {
  if (after.openedAt === null) return before.openedAt === null ? null : 'WELL';
  if (before.openedAt === null) return 'FAILING';
  const isGivenUp = after.probes > before.probes && after.openedAt <= givenUpBefore(now);
  return isGivenUp ? 'GIVEN_UP' : null;
}

/** Everything that has been failing, or held, since then or longer is given up. */
export function givenUpBefore(now: Date): Date {
  return new Date(now.getTime() - GIVE_UP_SECONDS * 1000);
}
