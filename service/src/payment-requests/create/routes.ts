import type { FastifyInstance } from 'fastify';
import { readJsonCall } from '#http/json/call.ts';
import { readIdempotentCall } from '#idempotency/read-idempotent-call.ts';
import { sendStoredAnswer } from '#idempotency/send-stored-answer.ts';
import { inSpan } from '#lib/call-context.ts';
import { type MerchantCallDeps, merchantCall } from '#merchants/merchant-call.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import { NewPaymentRequestSchema } from '#payment-requests/model/schemas.ts';
import type { Create } from './creation-batcher.ts';
import { CREATE_OPERATION } from './operation.ts';
import { type ValidateCreationDeps, validateCreation } from './validate-creation.ts';

export interface CreateRoutesDeps extends MerchantCallDeps {
  readonly settings: PublicSettings;
  readonly validation: ValidateCreationDeps;
  /** Writes payment requests in batches. */
  readonly create: Create;
}

/** POST /payment-requests (interface §4; contract §4, Create). */
export function registerCreateRoutes(app: FastifyInstance, deps: CreateRoutesDeps): void {
  app.post(
    new URL(`${deps.settings.publicApiUrl}/payment-requests`).pathname,
    merchantCall(deps, CREATE_OPERATION),
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
