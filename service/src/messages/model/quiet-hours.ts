/** The night, in which no reminder is sent (messages §1). */
const FIRST_HOUR = 21;
const LAST_HOUR = 8;

const HOUR_MS = 3_600_000;

const formats = new Map<string, Intl.DateTimeFormat>();
/** Zones of merchants; each format holds tens of kilobytes. */
const MOST_FORMATS = 100;

/** The hour of a zone's clock, and the time since it began. */
function clockIn(timeZone: string, at: Date): { readonly hour: number; readonly sinceMs: number } {
  let format = formats.get(timeZone);
  if (!format) {
    const options = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    format = new Intl.DateTimeFormat('en', options);
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(timeZone, format);
  }
  const parts = format.formatToParts(at);
  const [hour, minute] = ['hour', 'minute'].map((name) =>
    Number(parts.find(({ type }) => type === name)?.value),
  );
  const seconds = at.getUTCSeconds() * 1_000 + at.getUTCMilliseconds();
  return { hour: hour ?? 0, sinceMs: (minute ?? 0) * 60_000 + seconds };
}

function isQuiet(hour: number): boolean {
  return hour >= FIRST_HOUR || hour < LAST_HOUR;
}

/**
 * When a reminder leaves: as it is due, at the end of the night that it falls into, or before that
 * night where its end comes after the expiry. Walks by the hours of the zone's clock, so that a
 * night with a change of the clock has its own length.
 */
export function outsideOfNight(dueAt: Date, expiresAt: Date, timeZone: string): Date {
  const { hour, sinceMs } = clockIn(timeZone, dueAt);
  if (!isQuiet(hour)) return dueAt;
  const hourMs = dueAt.getTime() - sinceMs;
  let endMs = hourMs;
  while (isQuiet(clockIn(timeZone, new Date(endMs)).hour)) endMs += HOUR_MS;
  if (endMs < expiresAt.getTime()) return new Date(endMs);
  let startMs = hourMs;
  while (isQuiet(clockIn(timeZone, new Date(startMs - 1)).hour)) startMs -= HOUR_MS;
  return new Date(startMs - 1);
}
