/** A cookie of an answer. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  /** 0 removes the cookie. */
  readonly maxAgeSeconds: number;
}

/**
 * The prefix of every cookie's name on HTTPS. A browser takes such a cookie only from this host,
 * with `Secure` and `Path=/`: no other host of the domain can set or replace it.
 */
const HOST_PREFIX = '__Host-';

/** Reads the shop's cookies, without the prefix. */
export function readCookies(header = '', isHttps: boolean): ReadonlyMap<string, string> {
  const prefix = isHttps ? HOST_PREFIX : '';
  const pairs = header.split(';').map((pair) => pair.trim().split('='));
  return new Map(
    pairs.flatMap(([name = '', value = '']) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
    ),
  );
}

/**
 * Writes the value of a `Set-Cookie` header. No script reads the cookies, and no form of another
 * site sends them. A link back from the payment page does (`Lax`).
 */
export function writeCookie({ name, value, maxAgeSeconds }: Cookie, isHttps: boolean): string {
  // Any other character could add attributes to the cookie.
  if (!/^[\w.:~-]*$/.test(value)) throw new TypeError(`The cookie ${name} has an unsafe value.`);
  const [prefix, secure] = isHttps ? [HOST_PREFIX, '; Secure'] : ['', ''];
  const attributes = `Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
  return `${prefix}${name}=${value}; ${attributes}`;
}
