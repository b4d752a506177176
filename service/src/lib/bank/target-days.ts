const DAY_MS = 86_400_000;

/** Closing days of every year, as in `01-01`. */
const FIXED = new Set(['01-01', '05-01', '12-25', '12-26']);

/** Days after Easter Sunday: Good Friday and Easter Monday. */
const AROUND_EASTER = new Set([-2, 1]);

/**
 * The first day from `day` on that TARGET, and with it SEPA, settles payments. TARGET is closed on
 * Saturdays, Sundays, 1 January, Good Friday, Easter Monday, 1 May, 25 and 26 December (European
 * Central Bank, "TARGET working days": decision ECB/2000/NP15 of 14 December 2000).
 *
 * @param day as in `2026-03-01`
 */
export function targetDayFrom(day: string): string {
  let instant = Date.parse(`${day}T00:00:00Z`);
  while (isClosed(new Date(instant))) instant += DAY_MS;
  return new Date(instant).toISOString().slice(0, 10);
}

function isClosed(day: Date): boolean {
  const weekday = day.getUTCDay();
  if (weekday === 0 || weekday === 6) return true;
  if (FIXED.has(day.toISOString().slice(5, 10))) return true;
  return AROUND_EASTER.has((day.getTime() - easterOf(day.getUTCFullYear())) / DAY_MS);
}

/** Easter Sunday of the Gregorian calendar (Meeus, "Astronomical Algorithms", chapter 8). */
function easterOf(year: number): number {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const leaps = century - Math.floor(century / 4);
  const moon = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + leaps - moon + 15) % 30;
  const rest = year % 100;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const days = epact + toSunday - 7 * late + 114;
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1);
}
