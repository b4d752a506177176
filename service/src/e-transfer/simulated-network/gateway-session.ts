import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const COOKIE = 'gateway';
/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export function newSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Reads the secret that the browser sent; null when it cannot be a secret of ours. */
export function readSessionSecret({ cookies }: FastifyRequest): string | null {
  const secret = cookies[COOKIE] ?? '';
  return SECRET.test(secret) ? secret : null;
}

export interface CookiePlace {
  /** Sent there alone: payments that are open side by side do not meet. */
  readonly path: string;
  /** Off only on plain localhost (journey §1). */
  readonly isSecure: boolean;
}

/** Until the browser is closed; the session itself ends before that. */
export function sendSessionSecret(
  reply: FastifyReply,
  secret: string,
  { path, isSecure }: CookiePlace,
): void {
  reply.setCookie(COOKIE, secret, { path, httpOnly: true, sameSite: 'lax', secure: isSecure });
}

/** Under which a session is kept. */
export function sessionIdHash(secret: string): Buffer {
  return hash('session', secret);
}

/** Every form must send this token: only a page that was made for this cookie has it. */
export function formToken(secret: string): string {
  return hash('form', secret).toString('base64url');
}

/** Whether a form was sent from a page of ours by the browser that has the session's cookie. */
export function isFormOfSession(
  { headers, body }: FastifyRequest,
  secret: string | null,
): secret is string {
  if (secret === null || !(body instanceof URLSearchParams)) return false;
  // Browsers that do not send it are stopped by the token alone. `none`: the person did it.
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  if (site !== 'same-origin' && site !== 'none') return false;
  const sent = createHash('sha256')
    .update(body.get('token') ?? '')
    .digest();
  const expected = createHash('sha256').update(formToken(secret)).digest();
  return timingSafeEqual(sent, expected);
}

function hash(purpose: string, secret: string): Buffer {
  return createHash('sha256').update(`gateway ${purpose} ${secret}`).digest();
}
