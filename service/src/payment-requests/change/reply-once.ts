import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Executor } from '#database/database.ts';
import { answerOnce } from '#idempotency/answer-once.ts';
import { readIdempotentCall } from '#idempotency/read-idempotent-call.ts';
import { sendStoredAnswer } from '#idempotency/send-stored-answer.ts';
import { inSpan } from '#lib/call-context.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAnswer } from '#payment-requests/model/render-answer.ts';
import {
  type MoveDeps,
  tellOfMoves,
  type UncommittedMove,
} from '#payment-requests/status/change-status.ts';
import type { PlannedMove } from '#payment-requests/status/plan-change.ts';

/**
 * Answers a call that moves a payment request, once for its idempotency key: the move and its
 * answer are committed together, and only then are others told of it.
 */
export async function answerChange(
  deps: MoveDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 202,
  change: (tx: Executor) => Promise<UncommittedMove<PaymentRequest>>,
): Promise<FastifyReply> {
  let written: readonly PlannedMove[] = [];
  const answer = await inSpan('change-payment-request', () =>
    answerOnce(deps.db, readIdempotentCall(request), async (tx) => {
      const { result, moves } = await change(tx);
      written = moves;
      return paymentRequestAnswer(status, result, deps.addresses);
    }),
  );
  tellOfMoves(deps, written);
  return sendStoredAnswer(reply, answer);
}
