import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The session, the form of a browser without a session, and a sign-in that has begun. */
export type CookieName = 'console' | 'console-form' | 'console-sign-in';

export function newSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** `isSecure` is false only on plain localhost, where browsers refuse the prefix (RFC 6265bis). */
export interface CookieOptions {
  readonly isSecure: boolean;
}

/** `__Host-` keeps other host names from setting the cookie. */
function nameOf(cookie: CookieName, { isSecure }: CookieOptions): string {
  return isSecure ? `__Host-${cookie}` : cookie;
}

export function readCookie(
  { cookies }: FastifyRequest,
  cookie: CookieName,
  options: CookieOptions,
): string | undefined {
  return cookies[nameOf(cookie, options)];
}

/** Reads the secret that the browser sent; null when it cannot be a secret of ours. */
export function readSessionSecret(
  request: FastifyRequest,
  options: CookieOptions,
  cookie: CookieName = 'console',
): string | null {
  const secret = readCookie(request, cookie, options) ?? '';
  return SECRET.test(secret) ? secret : null;
}

/** Until the browser is closed, where no age is given; a session ends before that. */
export function sendCookie(
  reply: FastifyReply,
  cookie: CookieName,
  value: string,
  { maxAge, ...options }: CookieOptions & { readonly maxAge?: number },
): void {
  reply.setCookie(nameOf(cookie, options), value, {
    path: '/',
    httpOnly: true,
    // Lax: the provider leads back from another site.
    sameSite: 'lax',
    secure: options.isSecure,
    ...(maxAge !== undefined && { maxAge }),
  });
}

export function forgetCookie(
  reply: FastifyReply,
  cookie: CookieName,
  options: CookieOptions,
): void {
  reply.clearCookie(nameOf(cookie, options), { path: '/', secure: options.isSecure });
}

/** Leads the browser on, after a sign-in or its end. */
export function redirect(reply: FastifyReply, to: string): FastifyReply {
  return reply.code(303).header('location', to).send();
}

/** The hash under which a session is stored. */
export function sessionIdHash(secret: string): Buffer {
  return hash('session', secret);
}

/** Every form must send this token: only a page that was made for this cookie has it. */
export function formToken(secret: string): string {
  return hash('form', secret).toString('base64url');
}

/**
 * Whether a page of ours sent a form, in the browser that has the session's cookie.
 *
 * @param token the session's `formToken`
 * @param origin the origin of our pages
 */
export function isFormOfSession(
  { headers, body }: FastifyRequest,
  token: string,
  origin: string,
): boolean {
  if (!(body instanceof URLSearchParams)) return false;
  const { 'sec-fetch-site': site, origin: sender } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  // Browsers of before 2023 may lack the header above. Our pages send no referrer: their forms have
  // the origin null, as a stranger's page may have; the token stops that one.
  if (site === undefined && sender !== undefined && sender !== 'null' && sender !== origin) {
    return false;
  }
  const sent = createHash('sha256')
    .update(body.get('csrf') ?? '')
    .digest();
  const expected = createHash('sha256').update(token).digest();
  return timingSafeEqual(sent, expected);
}

function hash(purpose: string, secret: string): Buffer {
  return createHash('sha256').update(`console ${purpose} ${secret}`).digest();
}
