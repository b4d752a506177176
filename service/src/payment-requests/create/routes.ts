import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { prepareJsonBody, readJsonCall } from '#http/json/call.ts';
import { readIdempotentCall } from '#idempotency/read-idempotent-call.ts';
import { sendStoredAnswer } from '#idempotency/send-stored-answer.ts';
import { inSpan } from '#lib/call-context.ts';
import type { Scope } from '#merchants/scopes.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import { NewPaymentRequestSchema } from '#payment-requests/model/schemas.ts';
import type { Create } from './creation-batcher.ts';
import { CREATE_OPERATION } from './operation.ts';
import { type ValidateCreationDeps, validateCreation } from './validate-creation.ts';

export interface CreateRoutesDeps {
  readonly settings: PublicSettings;
  readonly validation: ValidateCreationDeps;
  /** Writes payment requests in batches. */
  readonly create: Create;
  /** Admits calls that have one of the scopes, and sets `request.merchant` (contract §4). */
  readonly requireMerchant: (...scopes: Scope[]) => onRequestHookHandler;
}

/** POST /payment-requests (interface §4; contract §4, Create). */
export function registerCreateRoutes(app: FastifyInstance, deps: CreateRoutesDeps): void {
  app.post(
    new URL(`${deps.settings.publicApiUrl}/payment-requests`).pathname,
    {
      onRequest: deps.requireMerchant('payment_request/write'),
      preValidation: prepareJsonBody(NewPaymentRequestSchema),
      schema: CREATE_OPERATION,
      // The use case adds the faults that no schema finds, so that one answer names all faults.
      attachValidation: true,
    },
    async (request, reply) => {
      const { merchant } = request;
      const call = readIdempotentCall(request);
      const body = readJsonCall(request, NewPaymentRequestSchema);
      const validated = await inSpan('validate-creation', () =>
        validateCreation(deps.validation, merchant, body),
      );
      const answer = await inSpan('create-payment-request', () =>
        deps.create({ merchant, validated, call }),
      );
      // A replayed answer names the payment request of the first call.
      request.paymentRequestId = answer.headers.location?.split('/').at(-1) ?? null;
      return sendStoredAnswer(reply, answer);
    },
  );
}
