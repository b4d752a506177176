import pg from 'pg';

export const OID_TIMESTAMPTZ = 1184;
const parseAnyTimestamp = pg.types.getTypeParser(OID_TIMESTAMPTZ, 'text') as (text: string) => Date;

const ZERO = 48;
/** `2026-03-01 12:00:00+00`; a fraction stands before the offset. */
const SHORTEST = 22;
/** With six digits of the fraction, which is as fine as PostgreSQL stores. */
const LONGEST = 29;
/** A session's time zone is UTC (session-settings.ts). */
const UTC = '+00';

/**
 * Reads a `timestamptz` of our sessions to the millisecond, as pg's own parser does with three
 * regular expressions: a list reads three in each row. Other texts, such as `infinity`, go to pg's
 * parser.
 */
export function parseTimestamp(text: string): Date {
  const { length } = text;
  if (length < SHORTEST || length > LONGEST || text[4] !== '-' || !text.endsWith(UTC)) {
    return parseAnyTimestamp(text);
  }
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  // Date.UTC takes the years 0 to 99 for those of the 20th century.
  if (year < 100) return parseAnyTimestamp(text);
  return new Date(
    Date.UTC(
      year,
      twoDigits(text, 5) - 1,
      twoDigits(text, 8),
      twoDigits(text, 11),
      twoDigits(text, 14),
      twoDigits(text, 17),
      milliseconds(text, length - UTC.length),
    ),
  );
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

/** The milliseconds of a fraction behind the seconds; PostgreSQL leaves zeros at its end out. */
function milliseconds(text: string, end: number): number {
  let found = 0;
  let unit = 100;
  for (let at = 20; at < end && unit >= 1; at += 1) {
    found += (text.charCodeAt(at) - ZERO) * unit;
    unit /= 10;
  }
  return found;
}
