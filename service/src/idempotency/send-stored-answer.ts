import type { FastifyReply } from 'fastify';
import { passFailpoint } from '#lib/failpoints/failpoint.ts';
import type { StoredAnswer } from './stored-answer.ts';

/** Sends an answer as it was stored; a repeated answer has the header of contract §4. */
export function sendStoredAnswer(
  reply: FastifyReply,
  { status, headers, body, replayed }: StoredAnswer & { readonly replayed: boolean },
): FastifyReply {
  passFailpoint('answer-ready');
  if (replayed) reply.header('idempotency-replayed', 'true');
  return reply.code(status).headers(headers).send(body);
}
