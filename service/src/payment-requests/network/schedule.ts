import type { Status } from '#payment-requests/model/statuses.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Most payers are through by then, and their network has reported. */
export const FIRST_LOOK_SECONDS = 2 * MINUTE;

/** Contract §5: a payment in progress ends after 72 h. */
export const PROCESSING_ENDS_SECONDS = 72 * HOUR;
/** Two days before that, so that people can ask the network's people. */
export const PROCESSING_ALERT_SECONDS = 24 * HOUR;
/** Money that is under way may still arrive for what is over: as long as the longest processing. */
export const ENDED_LOOKS_SECONDS = 72 * HOUR;
/** A creation that was under way when the request ended has arrived by then. */
export const SETTLED_SECONDS = MINUTE;

/** After each look that changed nothing, the wait until the next one; the last one repeats. */
const WAITS = {
  /** Usually a matter of seconds; a report may have been lost. */
  PROCESSING: [30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
  /** Opened and not confirmed, as far as was reported. Links live for up to a year. */
  CREATED: [10 * MINUTE, HOUR, 6 * HOUR, DAY],
  /** The network has not taken the end, or money is under way all the same. */
  ENDED: [10, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR],
} as const;

/** @param looks how many there have been since the payment request last changed. */
export function secondsToNextLook(status: Status, looks: number): number {
  const waits = status === 'PROCESSING' || status === 'CREATED' ? WAITS[status] : WAITS.ENDED;
  return waits[Math.min(looks, waits.length) - 1] ?? waits[0];
}
