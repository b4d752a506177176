import type { FastifyReply } from 'fastify';
import type { StoredAnswer } from './stored-answer.ts';

/** Sends an answer as it was kept; one that was given before says so (contract §4). */
export function sendStoredAnswer(
  reply: FastifyReply,
  { status, headers, body, replayed }: StoredAnswer & { readonly replayed: boolean },
): FastifyReply {
  if (replayed) reply.header('idempotency-replayed', 'true');
  return reply.code(status).headers(headers).send(body);
}
