/** RFC 3339, section 5.6: the offset has a colon, unlike some of what JavaScript reads as well. */
const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Reads an RFC 3339 date-time, to the millisecond; null for what is none, a leap second too. */
export function parseInstant(text: string): Date | null {
  if (!RFC_3339.test(text)) return null;
  const instant = new Date(text.toUpperCase().replace(' ', 'T'));
  return Number.isNaN(instant.getTime()) ? null : instant;
}
