/** The entity tag of a version, as in `ETag: "3"` (RFC 9110, 8.8.3). */
export function entityTag(version: number | string): string {
  return `"${version}"`;
}

/**
 * Whether an `If-Match` header lets a change of this version happen; strong comparison, as RFC 9110
 * asks: a weak tag never matches. Without the header nothing is asked.
 */
export function matchesSome(header: string | undefined, version: number): boolean {
  if (header === undefined) return true;
  const tags = header.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(entityTag(version));
}

/** Whether an `If-None-Match` header names the version; weak comparison, as RFC 9110 asks. */
export function matchesNone(header: string | undefined, version: number | string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(entityTag(version));
}
