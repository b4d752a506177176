import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AddressLimit, createAddressLimit } from '#http/overload/address-limit.ts';
import type { Clock } from '#lib/clock.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts the forms of callers without a session, by address. */
    strangerForms?: AddressLimit;
  }
}

const MINUTE_MS = 60_000;
/** The sessions of a whole office may end at once, and each person may try again. */
const MOST_FORMS = 120;

/** Bounds the forms of callers without a session, in a scope. */
export function limitStrangers(scope: FastifyInstance, clock: Clock): void {
  const limit = createAddressLimit({ clock, limit: MOST_FORMS, windowMs: MINUTE_MS });
  scope.decorate('strangerForms', limit);
}

/**
 * Counts a form whose sender has no session. Call it only for a form that is refused anyway: a
 * session and a good link work at every address (decision 0028).
 *
 * @returns true: the address is over its limit, and `retry-after` is set
 */
export function isOverLimit({ server, ip }: FastifyRequest, reply: FastifyReply): boolean {
  const { strangerForms } = server;
  if (!strangerForms || strangerForms.count(ip)) return false;
  reply.header('retry-after', `${strangerForms.retryAfterSeconds()}`);
  return true;
}
