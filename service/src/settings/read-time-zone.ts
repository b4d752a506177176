/**
 * Reads the IANA name of a time zone, in the spelling of the IANA list. An offset such as `+05:00`
 * is no name: it would be wrong for half of the year.
 */
export function readTimeZone(text: string): string {
  try {
    if (!/^[A-Za-z]/.test(text)) throw new RangeError('no name');
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    throw new Error(`must be an IANA time zone such as America/Toronto, not "${text}"`);
  }
}
