import type { NetworkTimes } from '#e-transfer/e-transfer-network.ts';
import { type NetworkTask, STATUS_FACTS, type Status } from '#payment-requests/model/statuses.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Most payers are through by then, and their network has reported. */
export const FIRST_POLL_SECONDS = 2 * MINUTE;

/** The times of a network that settles a payment within `slowestSettlementSeconds`. */
export function settlementTimes({
  slowestSettlementSeconds: slowest,
}: Pick<NetworkTimes, 'slowestSettlementSeconds'>) {
  return {
    /** A payment in progress ends then (contract §5: 72 h, unless the network is slower). */
    processingEndsSeconds: slowest,
    /**
     * Operators learn of it (contract §5: after 24 of 72 h), so that they can ask the network's
     * operators in the time left.
     */
    alertSeconds: slowest / 3,
    /** Money on its way may still arrive after the end: as long as the longest processing. */
    endedPollsSeconds: slowest,
  };
}

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
