import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Whether a header `Authorization` has this bearer token. Compares digests, so that the time
 * reveals neither the token nor its length.
 */
export function isBearer(authorization: string | undefined, token: Buffer): boolean {
  const [, given = ''] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  const digestOf = (value: string | Buffer) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digestOf(given), digestOf(token));
}
