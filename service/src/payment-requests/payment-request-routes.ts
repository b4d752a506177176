import type { FastifyInstance, FastifyReply, onRequestAsyncHookHandler } from 'fastify';
import type { Database } from '#database/database.ts';
import { entityTag, matchesNone } from '#http/entity-tag.ts';
import { prepareJsonBody, readJsonCall } from '#http/json-call.ts';
import { answerOnce } from '#idempotency/answer-once.ts';
import { readIdempotentCall } from '#idempotency/read-idempotent-call.ts';
import { sendStoredAnswer } from '#idempotency/send-stored-answer.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { Scope } from '#merchants/scopes.ts';
import { createPaymentRequest } from './create-payment-request.ts';
import { findOwnPaymentRequest } from './find-own-payment-request.ts';
import { type JudgeCreationDeps, judgeCreation } from './judge-creation.ts';
import { type PaymentRequest, paymentRequestAt } from './payment-request.ts';
import { paymentRequestAnswer } from './payment-request-answer.ts';
import { type PublicAddresses, renderPaymentRequest } from './payment-request-body.ts';
import { NewPaymentRequestSchema } from './payment-request-schemas.ts';

export interface PaymentRequestRoutesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly addresses: PublicAddresses;
  readonly create: JudgeCreationDeps;
  /** Lets a call with one of the scopes pass and sets `request.merchant` (contract §4). */
  readonly requireMerchant: (...scopes: Scope[]) => onRequestAsyncHookHandler;
}

/** Create and read (interface specification, Endpoints; contract §4). */
export function registerPaymentRequestRoutes(
  app: FastifyInstance,
  deps: PaymentRequestRoutesDeps,
): void {
  const { addresses, clock, db } = deps;
  const base = new URL(`${addresses.publicApiUrl}/payment-requests`).pathname;

  app.post(
    base,
    {
      onRequest: deps.requireMerchant('payment_request/write'),
      preValidation: prepareJsonBody(NewPaymentRequestSchema),
      schema: { body: NewPaymentRequestSchema },
      // The rules that no schema can say are judged as well, so that all faults are told at once.
      attachValidation: true,
    },
    async (request, reply) => {
      const { merchant } = request;
      const call = readIdempotentCall(request);
      const { members, faults } = readJsonCall(request, NewPaymentRequestSchema);
      const judged = await judgeCreation(deps.create, merchant, members, faults);
      // Without a key there is nothing to look up first: a refusal needs no transaction.
      if (call === null && judged instanceof Problem) throw judged;
      const answer = await answerOnce(db, call, async (tx) => {
        const created = await createPaymentRequest(tx, deps.create, merchant, judged);
        return paymentRequestAnswer(201, created, addresses);
      });
      return sendStoredAnswer(reply, answer);
    },
  );

  app.get<{ Params: { id: string } }>(
    `${base}/:id`,
    { onRequest: deps.requireMerchant('payment_request/read') },
    async (request, reply) => {
      const found = await findOwnPaymentRequest(db, request.merchant.id, request.params.id);
      const current = paymentRequestAt(found, clock.now());
      if (matchesNone(request.headers['if-none-match'], current.version)) {
        return reply.code(304).header('etag', entityTag(current.version)).send();
      }
      return sendPaymentRequest(reply, current, addresses);
    },
  );
}

/** Answers a payment request with its entity tag. */
export function sendPaymentRequest(
  reply: FastifyReply,
  paymentRequest: PaymentRequest,
  addresses: PublicAddresses,
): FastifyReply {
  return reply
    .header('etag', entityTag(paymentRequest.version))
    .type('application/json; charset=utf-8')
    .send(renderPaymentRequest(paymentRequest, addresses));
}
