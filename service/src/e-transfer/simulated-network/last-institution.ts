import type { FastifyReply, FastifyRequest } from 'fastify';
import { GATEWAY_PATH } from './gateway-visit.ts';
import { findInstitution, type Institution } from './institutions.ts';

/** Holds the id of an institution and nothing of a person. */
const COOKIE = 'institution';
/** Half a year: a payer who comes back once a season finds the institution first. */
const KEPT_SECONDS = 180 * 86_400;

/** Remembers in this browser where the payer signed in. */
export function rememberInstitution(
  reply: FastifyReply,
  id: string | undefined,
  isSecure: boolean,
): void {
  if (id === undefined) return;
  reply.setCookie(COOKIE, id, {
    path: GATEWAY_PATH,
    maxAge: KEPT_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
  });
}

/** The institution that this browser signed in at last; undefined also for an unknown id. */
export function findLastInstitution({ cookies }: FastifyRequest): Institution | undefined {
  return findInstitution(cookies[COOKIE]);
}
