import { parseArgs } from 'node:util';

export interface ChaosOptions {
  readonly seconds: number;
  readonly seed: number;
  /** The limit for the work after the load: a slow machine needs longer. */
  readonly endMinutes: number;
}

export const USAGE =
  'usage: npm run chaos -- [--minutes N | --seconds N] [--seed N] [--end-minutes N]';

/** A short run; each kind of fault comes once. */
const DEFAULT_SECONDS = 60;
const DEFAULT_END_MINUTES = 3;
const LARGEST_SEED = 2 ** 32 - 1;
/** The workload ends by itself after an hour. */
const MOST_SECONDS = 3_600;

/** Reads the command line. @throws Error that says what is wrong, with the usage */
export function readOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string' },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      'end-minutes': { type: 'string' },
    },
  });
  const { minutes, seconds, seed } = values;
  if (minutes !== undefined && seconds !== undefined) {
    throw new Error(`Give --minutes or --seconds. ${USAGE}`);
  }
  const read = (name: string, text: string | undefined, fallback: number, most: number) => {
    const number = text === undefined ? fallback : Number(text);
    if (text !== '' && number >= 0 && number <= most) return number;
    throw new Error(`--${name} takes a number from 0 to ${most}. ${USAGE}`);
  };
  const inSeconds =
    minutes === undefined
      ? read('seconds', seconds, DEFAULT_SECONDS, MOST_SECONDS)
      : read('minutes', minutes, 0, MOST_SECONDS / 60) * 60;
  const drawn = Math.floor(Math.random() * LARGEST_SEED);
  return {
    seconds: inSeconds,
    seed: Math.floor(read('seed', seed, drawn, LARGEST_SEED)),
    endMinutes: read('end-minutes', values['end-minutes'], DEFAULT_END_MINUTES, 60),
  };
}
