/**
 * The IANA name of a time zone; null: there is no such zone. A name in other capitals gets those of
 * the platform's list; a name that the list has under an older one, as Asia/Kolkata, stays. An
 * offset such as `+05:00` is no name: it would be wrong for half of the year.
 */
export function timeZoneOf(text: string): string | null {
  try {
    if (!/^[A-Za-z]/.test(text)) return null;
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text;
  } catch {
    return null;
  }
}

/** Reads the name of a time zone, as `timeZoneOf` does. */
export function readTimeZone(text: string): string {
  const zone = timeZoneOf(text);
  if (zone) return zone;
  throw new Error(`must be an IANA time zone such as America/Toronto, not "${text}"`);
}
