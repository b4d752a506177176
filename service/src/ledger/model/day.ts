const DAY_MS = 86_400_000;
/** More than the largest distance of a time zone from UTC, which is 14 hours. */
const ZONE_MS = 15 * 3_600_000;

/** Whether the calendar has the date: `2026-02-30` fits the pattern. */
export function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** The date before the one that an instant has in a time zone. */
export function dateBefore(at: Date, timeZone: string): string {
  return shifted(formatOf(timeZone).format(at), -1);
}

/** The date after a date. */
export function nextDate(date: string): string {
  return shifted(date, 1);
}

function shifted(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Writes a date as `2026-03-01`. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
}

/**
 * The first instant of a date in a time zone: also where the clocks change at midnight, a day ends
 * when the next begins.
 */
export function startOfDate(date: string, timeZone: string): Date {
  const zone = formatOf(timeZone);
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // 27 halvings lead to the millisecond: the date of `before` is earlier, of `at` it is not.
  let before = midnight - ZONE_MS;
  let at = midnight + ZONE_MS;
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (zone.format(middle) < date) before = middle;
    else at = middle;
  }
  return new Date(at);
}
