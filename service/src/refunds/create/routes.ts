import type { FastifyInstance, FastifySchema } from 'fastify';
import { readJsonCall } from '#http/json/call.ts';
import { readIdempotentCall } from '#idempotency/read-idempotent-call.ts';
import { sendStoredAnswer } from '#idempotency/send-stored-answer.ts';
import { inSpan } from '#lib/call-context.ts';
import { isId } from '#lib/new-id.ts';
import { notFound } from '#lib/words/not-found.ts';
import { type MerchantCallDeps, merchantCall } from '#merchants/merchant-call.ts';
import { PaymentRequestParamsSchema } from '#payment-requests/model/operation-parts.ts';
import { REFUND_TAGS, refundAnswered } from '#refunds/model/operation-parts.ts';
import type { RefundSettings } from '#refunds/model/render-json.ts';
import { NewRefundSchema } from '#refunds/model/schemas.ts';
import { newRefundIdentity } from './create-refunds.ts';
import { CREATE_REFUND_EXAMPLES } from './examples.ts';
import type { CreateRefund } from './refund-batcher.ts';
import { bodyHashOf, type ValidateRefundDeps, validateRefund } from './validate-refund.ts';

export interface CreateRefundRoutesDeps extends MerchantCallDeps {
  readonly settings: RefundSettings;
  readonly validation: ValidateRefundDeps;
  /** Writes refunds in batches. */
  readonly create: CreateRefund;
}

/** POST /payment-requests/{id}/refunds (contract §11). */
export function registerCreateRefundRoutes(
  app: FastifyInstance,
  deps: CreateRefundRoutesDeps,
): void {
  const base = new URL(`${deps.settings.publicApiUrl}/payment-requests`).pathname;
  app.post<{ Params: { id: string } }>(
    `${base}/:id/refunds`,
    merchantCall(deps, CREATE_REFUND_OPERATION),
    async (request, reply) => {
      const { merchant } = request;
      const { id: paymentRequestId } = request.params;
      request.paymentRequestId = paymentRequestId;
      if (!isId(paymentRequestId)) throw notFound('PAYMENT_REQUEST_NOT_FOUND', paymentRequestId);
      const call = readIdempotentCall(request);
      const body = readJsonCall(request, NewRefundSchema);
      const valid = await inSpan('validate-refund', () =>
        validateRefund(deps.validation, merchant, body, call !== null),
      );
      const identity = newRefundIdentity();
      const bodyHash = bodyHashOf(request.bodyBytes);
      const asked = { ...valid, merchant, paymentRequestId, bodyHash, identity };
      const answer = await inSpan('create-refund', () => deps.create({ asked, call }));
      return sendStoredAnswer(reply, answer);
    },
  );
}

const HEADERS = ['ETag', 'Idempotency-Replayed', 'Payment-Requests-Warning'] as const;

/** POST /payment-requests/{id}/refunds (contract §11). */
const CREATE_REFUND_OPERATION = {
  operationId: 'createRefund',
  summary: 'Refund a payment request',
  description:
    'Gives money of a PAID payment request back to the payer: an amount, or without one all that ' +
    'is available. Give merchantRefundId or Idempotency-Key, so that a repeated call refunds ' +
    'once. A repeated merchantRefundId with the same body is answered with 200 and the refund ' +
    'as it is now. The payment request stays PAID.',
  tags: REFUND_TAGS,
  scopes: ['refund/write'],
  callHeaders: ['Idempotency-Key', 'Prefer'],
  params: PaymentRequestParamsSchema,
  body: NewRefundSchema,
  isBodyOptional: true,
  answers: {
    200: refundAnswered('The refund that an earlier call created.', HEADERS),
    201: refundAnswered('The refund, CREATED.', ['Location', ...HEADERS]),
  },
  problems: [
    'REFUNDS_DISABLED',
    'PAYMENT_REQUEST_NOT_FOUND',
    'NOT_PAID',
    'REFUNDS_NOT_SUPPORTED',
    'DUPLICATE_MERCHANT_REFUND_ID',
    'REFUND_LIMIT_REACHED',
    'IDEMPOTENCY_IN_PROGRESS',
    'REFUND_AMOUNT_MISMATCH',
    'REFUND_AMOUNT_EXCEEDED',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  examples: CREATE_REFUND_EXAMPLES,
} as const satisfies FastifySchema;
