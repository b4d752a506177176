import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export function newSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** `isSecure` is false only on plain localhost, where browsers refuse the prefix (RFC 6265bis). */
export interface CookieOptions {
  readonly isSecure: boolean;
}

/** `__Host-` keeps other host names from setting the cookie. */
function cookieName({ isSecure }: CookieOptions): string {
  return isSecure ? '__Host-console' : 'console';
}

/** Reads the secret that the browser sent; null when it cannot be a secret of ours. */
export function readSessionSecret(
  { cookies }: FastifyRequest,
  options: CookieOptions,
): string | null {
  const secret = cookies[cookieName(options)] ?? '';
  return SECRET.test(secret) ? secret : null;
}

/** Until the browser is closed; the session itself ends before that. */
export function sendSessionSecret(
  reply: FastifyReply,
  secret: string,
  options: CookieOptions,
): void {
  const { isSecure: secure } = options;
  reply.setCookie(cookieName(options), secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
  });
}

export function forgetSessionSecret(reply: FastifyReply, options: CookieOptions): void {
  reply.clearCookie(cookieName(options), { path: '/', secure: options.isSecure });
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
