import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type CookieOptions,
  formToken,
  isFormOfSession,
  newSessionSecret,
} from '#console/sessions/session-secret.ts';
import { SIGN_IN_MINUTES } from './oidc/begun-sign-in.ts';

/** Cookies of a browser that is not signed in yet. */
type Name = 'console-form' | 'console-sign-in';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

function nameOf(name: Name, { isSecure }: CookieOptions): string {
  return isSecure ? `__Host-${name}` : name;
}

function settingsOf({ isSecure: secure }: CookieOptions): CookieSerializeOptions {
  // Lax: the provider leads back from another site.
  return { path: '/', httpOnly: true, sameSite: 'lax', secure };
}

/**
 * The token of a form in a browser without a session: no other site can sign its person in under
 * another name (login CSRF).
 */
export function openForm(
  request: FastifyRequest,
  reply: FastifyReply,
  options: CookieOptions,
): string {
  const name = nameOf('console-form', options);
  const known = request.cookies[name] ?? '';
  const secret = SECRET.test(known) ? known : newSessionSecret();
  if (secret !== known) reply.setCookie(name, secret, settingsOf(options));
  return formToken(secret);
}

/** Whether the browser has opened a form before. */
export function hasFormCookie({ cookies }: FastifyRequest, options: CookieOptions): boolean {
  return SECRET.test(cookies[nameOf('console-form', options)] ?? '');
}

/** Whether a page of ours, in this browser, sent the form of `openForm`. */
export function isFormOfBrowser(
  request: FastifyRequest,
  options: CookieOptions,
  origin: string,
): boolean {
  const secret = request.cookies[nameOf('console-form', options)] ?? '';
  return SECRET.test(secret) && isFormOfSession(request, formToken(secret), origin);
}

/** Keeps a begun sign-in in the browser until the provider leads back. */
export function keepSignIn(reply: FastifyReply, sealed: string, options: CookieOptions): void {
  reply.setCookie(nameOf('console-sign-in', options), sealed, {
    ...settingsOf(options),
    maxAge: SIGN_IN_MINUTES * 60,
  });
}

export function readSignIn(
  { cookies }: FastifyRequest,
  options: CookieOptions,
): string | undefined {
  return cookies[nameOf('console-sign-in', options)];
}

export function forgetSignIn(reply: FastifyReply, options: CookieOptions): void {
  reply.clearCookie(nameOf('console-sign-in', options), settingsOf(options));
}
