import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database, Executor } from '#database/database.ts';
import { answerOnce } from '#idempotency/answer-once.ts';
import { readIdempotentCall } from '#idempotency/read-idempotent-call.ts';
import { sendStoredAnswer } from '#idempotency/send-stored-answer.ts';
import type { StoredAnswer } from '#idempotency/stored-answer.ts';
import { inSpan } from '#lib/call-context.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAnswer } from '#payment-requests/model/render-answer.ts';
import type { ChangeStatusDeps, Written } from '#payment-requests/status/change-status.ts';

/** A changed payment request, in a transaction that has yet to commit. */
export interface ChangedRequest extends Written {
  readonly paymentRequest: PaymentRequest;
}

/**
 * Answers a call that changes a status, once for its idempotency key. The change and its answer
 * are committed together, and published after that.
 */
export function answerChange(
  deps: ChangeStatusDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 202,
  change: (tx: Executor) => Promise<ChangedRequest>,
): Promise<FastifyReply> {
  return answerWritten(deps.db, request, reply, async (tx) => {
    const { paymentRequest, publish } = await change(tx);
    return { publish, answer: paymentRequestAnswer(status, paymentRequest, deps.settings) };
  });
}

/** Does as `answerChange`, with an answer that the call renders. */
export async function answerWritten(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  write: (tx: Executor) => Promise<Written & { readonly answer: StoredAnswer }>,
): Promise<FastifyReply> {
  let written: Written | null = null;
  const answer = await inSpan('change-payment-request', () =>
    answerOnce(db, readIdempotentCall(request), async (tx) => {
      const { answer, publish } = await write(tx);
      written = { publish };
      return answer;
    }),
  );
  (written as Written | null)?.publish();
  return sendStoredAnswer(reply, answer);
}
