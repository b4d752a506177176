import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type CookieOptions,
  formToken,
  isFormOfSession,
  newSessionSecret,
  readSessionSecret,
  sendCookie,
} from '#console/sessions/session-secret.ts';

/**
 * The token of a form in a browser without a session: no other site can sign its person in under
 * another name (login CSRF).
 */
export function openForm(
  request: FastifyRequest,
  reply: FastifyReply,
  options: CookieOptions,
): string {
  const known = readSessionSecret(request, options, 'console-form');
  const secret = known ?? newSessionSecret();
  if (known === null) sendCookie(reply, 'console-form', secret, options);
  return formToken(secret);
}

/** Whether the browser has opened a form before. */
export function hasFormCookie(request: FastifyRequest, options: CookieOptions): boolean {
  return readSessionSecret(request, options, 'console-form') !== null;
}

/** Whether a page of ours, in this browser, sent the form of `openForm`. */
export function isFormOfBrowser(
  request: FastifyRequest,
  options: CookieOptions,
  origin: string,
): boolean {
  const secret = readSessionSecret(request, options, 'console-form');
  return secret !== null && isFormOfSession(request, formToken(secret), origin);
}
