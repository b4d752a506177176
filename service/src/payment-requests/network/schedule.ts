import { type NetworkTask, STATUS_FACTS, type Status } from '#payment-requests/model/statuses.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Most payers are through by then, and their network has reported. */
export const FIRST_POLL_SECONDS = 2 * MINUTE;

/** Contract §5: a payment in progress ends after 72 h. */
export const PROCESSING_ENDS_SECONDS = 72 * HOUR;
/** Two days before that, so that operators can ask the network's operators. */
export const PROCESSING_ALERT_SECONDS = 24 * HOUR;
/** Money on its way may still arrive after the end: as long as the longest processing. */
export const ENDED_POLLS_SECONDS = 72 * HOUR;
/** A creation that was in progress when the request ended has arrived by then. */
export const SETTLED_SECONDS = MINUTE;

/** The wait after each poll that changed nothing; the last wait repeats. */
const WAITS = {
  /** Opened and not confirmed, as far as was reported. Links live for up to a year. */
  UPDATE: [10 * MINUTE, HOUR, 6 * HOUR, DAY],
  /** Usually a matter of seconds; a report may have been lost. */
  POLL: [30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
  /** The network has not accepted the end, or money is on its way all the same. */
  CANCEL: [10, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR],
  NONE: null,
} as const satisfies Readonly<Record<NetworkTask, readonly number[] | null>>;

/**
 * @param polls how many there have been since the payment request last changed.
 * @returns null: this status has nothing left to poll.
 */
export function secondsToNextPoll(status: Status, polls: number): number | null {
  const waits = WAITS[STATUS_FACTS[status].network];
  return waits && (waits[Math.min(polls, waits.length) - 1] ?? waits[0]);
}
