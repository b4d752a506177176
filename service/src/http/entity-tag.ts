/** The entity tag of a version, as in `ETag: "3"` (RFC 9110, 8.8.3). */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/** Whether an `If-None-Match` header names the version; weak comparison, as RFC 9110 asks. */
export function matchesNone(header: string | undefined, version: number): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(entityTag(version));
}
