/** The credentials that a client of the token call sends; not validated yet. */
export interface ClientCredentials {
  readonly username: string;
  readonly password: string;
}

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * Reads an `Authorization: Basic` header: base64 of `username:password` (interface §5). RFC 6749
 * §2.3.1 first percent-encodes each half, and some clients do so. Decoding changes no username or
 * password of this service, so both spellings are read alike.
 *
 * @returns `null` when the header has another scheme or is malformed
 */
export function readBasicCredentials(header: string): ClientCredentials | null {
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return null;
  return { username: decode(text.slice(0, colon)), password: decode(text.slice(colon + 1)) };
}

/** The marks of a percent-encoded half; nearly every client sends its credentials without any. */
const ENCODED = /[+%]/;

function decode(half: string): string {
  if (!ENCODED.test(half)) return half;
  try {
    return decodeURIComponent(half.replaceAll('+', ' '));
  } catch {
    return half;
  }
}
