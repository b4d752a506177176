import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Executor } from '#database/database.ts';
import { answerOnce } from '#idempotency/answer-once.ts';
import { readIdempotentCall } from '#idempotency/read-idempotent-call.ts';
import { sendStoredAnswer } from '#idempotency/send-stored-answer.ts';
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
export async function answerChange(
  deps: ChangeStatusDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 202,
  change: (tx: Executor) => Promise<ChangedRequest>,
): Promise<FastifyReply> {
  let changed: ChangedRequest | null = null;
  const answer = await inSpan('change-payment-request', () =>
    answerOnce(deps.db, readIdempotentCall(request), async (tx) => {
      changed = await change(tx);
      return paymentRequestAnswer(status, changed.paymentRequest, deps.settings);
    }),
  );
  (changed as ChangedRequest | null)?.publish();
  return sendStoredAnswer(reply, answer);
}
