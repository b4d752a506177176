import type { FastifyInstance, FastifySchema } from 'fastify';
import { readJsonCall } from '#http/json/call.ts';
import { readIdempotentCall } from '#idempotency/read-idempotent-call.ts';
import { sendStoredAnswer } from '#idempotency/send-stored-answer.ts';
import { inSpan } from '#lib/call-context.ts';
import { IDEMPOTENCY_PROBLEM_CODES } from '#lib/problem.ts';
import { type MerchantCallDeps, merchantCall } from '#merchants/merchant-call.ts';
import {
  paymentRequestAnswered,
  TAGS,
  WRITE_SCOPES,
} from '#payment-requests/model/operation-parts.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import { NewPaymentRequestSchema } from '#payment-requests/model/schemas.ts';
import type { Create } from './creation-batcher.ts';
import { CREATE_EXAMPLES } from './examples.ts';
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

const HEADERS = ['Location', 'ETag', 'Idempotency-Replayed', 'Payment-Requests-Warning'] as const;

/** POST /payment-requests (interface §4; contract §4, Create). */
const CREATE_OPERATION = {
  operationId: 'createPaymentRequest',
  summary: 'Create a payment request',
  description:
    'Asks a payer for an amount. Open the answer’s paymentLink for the payer, and fulfil the ' +
    'order only when the webhook, or a read, says PAID. Values are echoed as they were sent; an ' +
    'empty text or null in an optional field counts as left out. Amounts are read from the ' +
    'number’s own text: 10, 10.0 and 10.00 are the same, 10.005 is refused.',
  tags: TAGS,
  scopes: WRITE_SCOPES,
  callHeaders: ['Idempotency-Key', 'Prefer'],
  body: NewPaymentRequestSchema,
  answers: {
    201: paymentRequestAnswered('The payment request, CREATED.', HEADERS),
  },
  problems: [
    'MERCHANT_MISMATCH',
    'DUPLICATE_MERCHANT_TRANSACTION_ID',
    'NO_CREDITOR_ACCOUNT',
    ...IDEMPOTENCY_PROBLEM_CODES,
  ],
  examples: CREATE_EXAMPLES,
} as const satisfies FastifySchema;
