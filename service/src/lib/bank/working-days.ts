const DAY_MS = 86_400_000;
const [SUNDAY, SATURDAY] = [0, 6];
/** Closing days of TARGET, the settlement system of the euro, with a date of their own (MM-DD). */
const CLOSED_DATES = ['01-01', '05-01', '12-25', '12-26'];
/** Good Friday and Easter Monday, in days after Easter Sunday. */
const CLOSED_BESIDE_EASTER = [-2, 1];

/**
 * Whether banks book on the day (UTC): no Saturday, no Sunday, no closing day of TARGET. Other
 * holidays of a country count as working days.
 */
export function isWorkingDay(instant: Date): boolean {
  const weekday = instant.getUTCDay();
  if (weekday === SATURDAY || weekday === SUNDAY) return false;
  if (CLOSED_DATES.includes(instant.toISOString().slice(5, 10))) return false;
  const day = Math.floor(instant.getTime() / DAY_MS);
  return !CLOSED_BESIDE_EASTER.includes(day - easterDayOf(instant.getUTCFullYear()));
}

/** The whole working days between two instants (UTC); at most those of a year. */
export function workingDaysBetween(since: Date, now: Date): number {
  const first = Math.floor(since.getTime() / DAY_MS) + 1;
  const last = Math.floor(now.getTime() / DAY_MS);
  // A year bounds the loop: longer silences make no difference.
  const days = Math.min(Math.max(0, last - first), 366);
  let working = 0;
  for (let day = first; day < first + days; day += 1) {
    if (isWorkingDay(new Date(day * DAY_MS))) working += 1;
  }
  return working;
}

/**
 * Easter Sunday of a year in days since 1970, by the Gregorian computus of Meeus, Jones and
 * Butcher: the letters of the published formula have no shorter names.
 */
function easterDayOf(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const marchDay = h + l - 7 * m + 22;
  return Math.floor(Date.UTC(year, 2, marchDay) / DAY_MS);
}
