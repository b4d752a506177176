import type { FastifyInstance, FastifyReply, onRequestAsyncHookHandler } from 'fastify';
import type { Database } from '#database/database.ts';
import { entityTag, matchesNone } from '#http/headers/entity-tag.ts';
import { prepareJsonBody, readJsonCall } from '#http/json/call.ts';
import { prepareQuery, queryFaults } from '#http/json/query.ts';
import { leavePlace } from '#http/overload/shed-overload.ts';
import { readIdempotentCall } from '#idempotency/read-idempotent-call.ts';
import { sendStoredAnswer } from '#idempotency/send-stored-answer.ts';
import { inSpan } from '#lib/call-context.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import type { Scope } from '#merchants/scopes.ts';
import type { FindPaymentRequest } from '#payment-requests/lookup/batch-lookups.ts';
import { CREATE_OPERATION, READ_OPERATION } from '#payment-requests/model/operations.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { type PublicAddresses, renderPaymentRequest } from '#payment-requests/model/render-json.ts';
import { NewPaymentRequestSchema } from '#payment-requests/model/schemas.ts';
import { readPaymentRequest } from '#payment-requests/read/read-payment-request.ts';
import { type ReadQuery, ReadQuerySchema } from '#payment-requests/read/schemas.ts';
import type { ChangeWaiters } from '#payment-requests/read/wait-for-change.ts';
import type { Create } from './creation-batcher.ts';
import { type JudgeCreationDeps, judgeCreation } from './validate-creation.ts';

export interface PaymentRequestRoutesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly addresses: PublicAddresses;
  readonly judge: JudgeCreationDeps;
  /** Creates, many callers at once. */
  readonly create: Create;
  readonly waiters: ChangeWaiters;
  /** Reads single payment requests, many callers at once. */
  readonly find: FindPaymentRequest;
  /** Lets a call with one of the scopes pass and sets `request.merchant` (contract §4). */
  readonly requireMerchant: (...scopes: Scope[]) => onRequestAsyncHookHandler;
}

/** Create and read (interface §4; contract §4). */
export function registerPaymentRequestRoutes(
  app: FastifyInstance,
  deps: PaymentRequestRoutesDeps,
): void {
  const { addresses } = deps;
  const base = new URL(`${addresses.publicApiUrl}/payment-requests`).pathname;

  app.post(
    base,
    {
      onRequest: deps.requireMerchant('payment_request/write'),
      preValidation: prepareJsonBody(NewPaymentRequestSchema),
      schema: CREATE_OPERATION,
      // The rules that no schema can say are judged as well, so that all faults are told at once.
      attachValidation: true,
    },
    async (request, reply) => {
      const { merchant } = request;
      const call = readIdempotentCall(request);
      const { members, faults } = readJsonCall(request, NewPaymentRequestSchema);
      const judged = await inSpan('judge-creation', () =>
        judgeCreation(deps.judge, merchant, members, faults),
      );
      const answer = await inSpan('create-payment-request', () =>
        deps.create({ merchant, judged, call }),
      );
      // An answer that was kept is of the payment request that the first call created.
      request.paymentRequestId = answer.headers.location?.split('/').at(-1) ?? null;
      return sendStoredAnswer(reply, answer);
    },
  );

  app.get<{ Params: { id: string }; Querystring: ReadQuery }>(
    `${base}/:id`,
    {
      onRequest: deps.requireMerchant('payment_request/read'),
      preValidation: prepareQuery(ReadQuerySchema),
      schema: READ_OPERATION,
      attachValidation: true,
    },
    async (request, reply) => {
      request.paymentRequestId = request.params.id;
      const errors = queryFaults(request);
      if (errors.length > 0) throw new Problem('VALIDATION_ERROR', { errors });
      const ifNoneMatch = request.headers['if-none-match'];
      const { waitSeconds: seconds } = request.query;
      const wait = seconds ? { seconds, ifNoneMatch, gone: goneSignal(reply) } : null;
      if (wait) leavePlace(request.raw);
      const current = await inSpan('read-payment-request', () =>
        readPaymentRequest(deps, request.merchant.id, request.params.id, wait),
      );
      if (wait) await request.checkMerchantAgain();
      if (matchesNone(ifNoneMatch, current.version)) {
        return reply.code(304).header('etag', entityTag(current.version)).send();
      }
      return sendPaymentRequest(reply, current, addresses);
    },
  );
  // Whoever waits is answered, so that the listener can end.
  app.addHook('preClose', async () => deps.waiters.close());
}

/** Aborted when the connection is closed, so that nobody waits for a caller that is gone. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
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
