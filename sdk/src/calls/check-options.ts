import type { RepeatableCallOptions } from '../call-options.ts';
import { InvalidArgumentError } from '../errors/invalid-argument-error.ts';

/** Timers fire at once beyond 2^31 ms; a day is far below that, and above every answer. */
const LONGEST_TIMEOUT_MS = 86_400_000;
/** With the longest delays ten retries take six minutes. A job that needs more has its own loop. */
const MOST_RETRIES = 10;

/** @throws InvalidArgumentError for a limit outside its range, or a key that no header can hold */
export function checkCallOptions(
  { timeoutMs, retries, idempotencyKey }: RepeatableCallOptions,
  retriesName = 'retries',
): void {
  if (timeoutMs !== undefined && !isWithin(timeoutMs, 1, LONGEST_TIMEOUT_MS)) {
    throw new InvalidArgumentError(
      `timeoutMs is ${timeoutMs}: give 1 to ${LONGEST_TIMEOUT_MS} milliseconds.`,
    );
  }
  if (retries !== undefined && !isWithin(retries, 0, MOST_RETRIES)) {
    throw new InvalidArgumentError(
      `${retriesName} is ${retries}: give a whole number from 0 to ${MOST_RETRIES}.`,
    );
  }
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new InvalidArgumentError('idempotencyKey needs 1 to 255 visible ASCII characters.');
  }
}

/** @throws InvalidArgumentError for an id whose URL would be that of another resource */
export function pathSegment(id: string): string {
  if (typeof id !== 'string' || id === '') throw new InvalidArgumentError('The id is missing.');
  // URL parsers resolve dots, and a percent sign does not protect them.
  if (/^\.{1,2}$/.test(id)) throw new InvalidArgumentError(`${id} is not an id.`);
  return encodeURIComponent(id);
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
