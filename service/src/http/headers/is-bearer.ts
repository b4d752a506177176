import { createHash, timingSafeEqual } from 'node:crypto';

/** The token of a header `Authorization`; empty for none. */
export function bearerOf(authorization: string | undefined): string {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
}

/**
 * Whether a header `Authorization` has this bearer token. Compares digests, so that the time
 * reveals neither the token nor its length.
 */
export function isBearer(authorization: string | undefined, token: Buffer): boolean {
  const digestOf = (value: string | Buffer) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digestOf(bearerOf(authorization)), digestOf(token));
}
