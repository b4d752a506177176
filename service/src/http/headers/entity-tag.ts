/** Parts the version from what else an answer shows, as in `"3-1f9a3c0b"`. */
const PART = '-';

/** The entity tag of a version and of a part that is no part of the version. */
export function partedTag(version: number, part: string | null): string {
  return entityTag(part === null ? version : `${version}${PART}${part}`);
}

/** The header of a condition without the second parts of its tags. */
export function withoutParts(header: string | undefined): string | undefined {
  return header?.replace(/("\d+)-[^",]*"/g, '$1"');
}

/** The entity tag of a version, as in `ETag: "3"` (RFC 9110, 8.8.3). */
export function entityTag(version: number | string): string {
  return `"${version}"`;
}

/**
 * Whether an `If-Match` header lets a change of this version happen; strong comparison, as RFC 9110
 * asks: a weak tag never matches. A tag's second part is ignored. Without the header nothing is
 * asked.
 */
export function matchesSome(header: string | undefined, version: number): boolean {
  if (header === undefined) return true;
  const tags = (withoutParts(header) ?? '').split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(entityTag(version));
}

/** Whether an `If-None-Match` header names the version; weak comparison, as RFC 9110 asks. */
export function matchesNone(header: string | undefined, version: number | string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(entityTag(version));
}
