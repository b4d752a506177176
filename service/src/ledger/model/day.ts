const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** More than the largest distance of a time zone from UTC, which is 14 hours. */
const ZONE_MINUTES = 15 * 60;

/**
 * Formats of a zone's dates and offset. Each holds tens of kilobytes outside the heap: a deployment
 * has a few zones, and a person who tries all 600 keeps 50 of them.
 */
const MOST_ZONES = 50;
const zones = new Map<string, Readonly<Record<'date' | 'offset', Intl.DateTimeFormat>>>();

/** Whether the calendar has the date: `2026-02-30` fits the pattern. */
export function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** The date of an instant in a time zone, as `2026-03-01`. */
export function dateIn(at: Date, timeZone: string): string {
  return formatsOf(timeZone).date.format(at);
}

/** The date before the one that an instant has in a time zone. */
export function dateBefore(at: Date, timeZone: string): string {
  return shifted(dateIn(at, timeZone), -1);
}

/** The date after a date. */
export function nextDate(date: string): string {
  return shifted(date, 1);
}

/** So many dates, oldest first, the last of which is `date`. */
export function datesUntil(date: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => shifted(date, index + 1 - count));
}

function shifted(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function formatsOf(timeZone: string) {
  const known = zones.get(timeZone);
  if (known) return known;
  if (zones.size >= MOST_ZONES) zones.clear();
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const made = {
    date: new Intl.DateTimeFormat('en-CA', { timeZone, ...parts }),
    offset: new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
  };
  zones.set(timeZone, made);
  return made;
}

/** How many minutes the clocks of a time zone are ahead of UTC at an instant. */
export function offsetMinutes(at: number, timeZone: string): number {
  const found = /([+-])(\d\d):(\d\d)/.exec(formatsOf(timeZone).offset.format(at));
  const [, sign, hours, minutes] = found ?? [];
  const distance = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -distance : distance;
}

/**
 * The instant of a date and time on the clocks of a time zone, as `2026-03-01T09:30`; null: the
 * calendar has none. Clocks that go back show it twice: the first counts. Clocks that pass over it
 * count on from before the change.
 */
export function instantAt(local: string, timeZone: string): Date | null {
  const utc = Date.parse(`${local}Z`);
  if (Number.isNaN(utc) || !isDate(local.slice(0, 10))) return null;
  const at = (nearby: number) => utc - offsetMinutes(nearby, timeZone) * MINUTE_MS;
  const [first, second] = [at(utc - DAY_MS), at(utc + DAY_MS)];
  const isShown = [first, second].map((each) => at(each) === each);
  return new Date(isShown[1] && !isShown[0] ? second : first);
}

/**
 * The first instant of a date in a time zone: also where the clocks change at midnight, a day ends
 * when the next begins.
 */
export function startOfDate(date: string, timeZone: string): Date {
  const zone = formatsOf(timeZone).date;
  const midnight = Date.parse(`${date}T00:00:00Z`) / MINUTE_MS;
  // 11 halvings lead to the minute, and offsets have been whole minutes since 1972. The date of
  // `before` is earlier, of `at` it is not.
  let before = midnight - ZONE_MINUTES;
  let at = midnight + ZONE_MINUTES;
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (zone.format(middle * MINUTE_MS) < date) before = middle;
    else at = middle;
  }
  return new Date(at * MINUTE_MS);
}
