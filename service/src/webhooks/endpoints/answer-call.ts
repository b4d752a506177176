import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database, Executor } from '#database/database.ts';
import { answerOnce } from '#idempotency/answer-once.ts';
import { readIdempotentCall } from '#idempotency/read-idempotent-call.ts';
import { sendStoredAnswer } from '#idempotency/send-stored-answer.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptSecret, encryptSecret } from '#lib/secrets/secret-box.ts';

export interface AnswerDeps {
  readonly db: Database;
  /** `SECRETS_KEY`, and the key that it replaces. */
  readonly secretsKey: RotatingKey;
}

export interface CallAnswer {
  readonly status: 200 | 201 | 202;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers a POST once for its idempotency key. Answers here may hold secrets, which are nowhere
 * kept in the plain: what is kept of them is encrypted, and opened for a call that comes again.
 *
 * @param done what is to happen after the commit, where this call did the work
 */
export async function answerEndpointCall(
  { db, secretsKey }: AnswerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Executor) => Promise<CallAnswer>,
  done?: () => void,
): Promise<FastifyReply> {
  const call = readIdempotentCall(request);
  const context = `merchant:${request.merchant.id}:answer`;
  const answer = await answerOnce(db, call, async (tx) => {
    const { status, body, headers } = await work(tx);
    const sealed = encryptSecret(secretsKey, JSON.stringify(body), context).toString('base64');
    const type = { 'content-type': 'application/json; charset=utf-8' };
    return { status, headers: { ...type, ...headers }, body: sealed };
  });
  if (!answer.replayed) done?.();
  const body = decryptSecret(secretsKey, Buffer.from(answer.body, 'base64'), context);
  return sendStoredAnswer(reply, { ...answer, body });
}

/** Answers JSON to a call that changes nothing, or that is the same however often it is sent. */
export function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}
