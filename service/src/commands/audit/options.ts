import { InvalidArgumentError } from 'commander';
import type { ChainPlace } from '#audit/read-store.ts';

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A day (its first instant in UTC) or an instant with its zone. */
export function readInstant(text: string): Date {
  const instant = new Date(DATE.test(text) ? text : Number.NaN);
  const day = new Date(`${text.slice(0, 10)}T00:00Z`);
  // 30 February would be read as 2 March.
  const isDay = !Number.isNaN(day.getTime()) && text.startsWith(day.toISOString().slice(0, 10));
  if (Number.isNaN(instant.getTime()) || !isDay) {
    throw new InvalidArgumentError('Give a day as 2026-03-01 or an instant as 2026-03-01T12:00Z.');
  }
  return instant;
}

/** A position in the log: a whole number of at most 18 digits, as bigint holds. */
export function readPosition(text: string): string {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('Give a position, as in 1234.');
  return text;
}

export function readLimit(most: number): (text: string) => number {
  return (text) => {
    const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
    if (limit < 1 || limit > most) throw new InvalidArgumentError(`Give a number up to ${most}.`);
    return limit;
  };
}

/** A head as `audit verify` prints it: `1234:` and 64 hexadecimal digits. */
export function readHead(text: string): ChainPlace {
  const [, position = '', hash = ''] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (position === '') {
    throw new InvalidArgumentError('Give a head as payreq audit verify prints it.');
  }
  return { position: BigInt(position), hash: Buffer.from(hash, 'hex') };
}

/** The text that `readHead` reads. */
export function headText({ position, hash }: ChainPlace): string {
  return `${position}:${hash.toString('hex')}`;
}
