import type { FastifyReply, FastifyRequest } from 'fastify';

const COOKIE = 'sent';
/** A month, as for the decision of a browser (payer-link/viewer.ts). */
const COOKIE_SECONDS = 30 * 24 * 3_600;

/** Remembers that this browser's payer has sent the money, at the payment link alone. */
export function keepSent(request: FastifyRequest, reply: FastifyReply, link: string): void {
  reply.setCookie(COOKIE, '1', {
    path: new URL(link).pathname,
    httpOnly: true,
    sameSite: 'lax',
    secure: request.server.isOnPlainLocalhost !== true,
    maxAge: COOKIE_SECONDS,
  });
}

/** Whether this browser's payer said at this payment link that the money is sent. */
export function hasSent({ cookies }: FastifyRequest): boolean {
  return cookies[COOKIE] !== undefined;
}
