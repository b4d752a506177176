import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { registerJsonBody } from '#http/json-body.ts';
import { prepareMergePatch, prepareOptionalJsonBody, readJsonCall } from '#http/json-call.ts';
import type { Scope } from '#merchants/scopes.ts';
import { answerChange } from './answer-change.ts';
import { cancelPaymentRequest } from './cancel-payment-request.ts';
import type { MoveDeps } from './move-payment-request.ts';
import {
  CancellationSchema,
  PaymentRequestParamsSchema,
  PaymentRequestUpdateSchema,
} from './payment-request-change-schemas.ts';
import { sendPaymentRequest } from './payment-request-routes.ts';
import { type UpdateDeps, updatePaymentRequest } from './update-payment-request.ts';

export interface PaymentRequestChangeRoutesDeps {
  readonly move: MoveDeps;
  readonly update: UpdateDeps;
  /** Lets a call with one of the scopes pass and sets `request.merchant` (contract §4). */
  readonly requireMerchant: (...scopes: Scope[]) => onRequestAsyncHookHandler;
}

interface ChangeRoute {
  Params: { id: string };
}

const TAGS = ['Payment requests'];

/** Cancel and update (contract §4); each in a scope of its own, as their bodies differ. */
export function registerPaymentRequestChangeRoutes(
  app: FastifyInstance,
  deps: PaymentRequestChangeRoutesDeps,
): void {
  const { publicApiUrl } = deps.move.addresses;
  const path = `${new URL(`${publicApiUrl}/payment-requests`).pathname}/:id`;
  app.register(async (scope) => registerCancellation(scope, `${path}/cancellation`, deps));
  app.register(async (scope) => registerUpdate(scope, path, deps));
}

function registerCancellation(
  scope: FastifyInstance,
  path: string,
  { move, requireMerchant }: PaymentRequestChangeRoutesDeps,
): void {
  registerJsonBody(scope, { mayBeEmpty: true });
  scope.post<ChangeRoute>(
    path,
    {
      onRequest: requireMerchant('payment_request/write'),
      preValidation: prepareOptionalJsonBody(CancellationSchema),
      schema: {
        operationId: 'cancelPaymentRequest',
        summary: 'Cancel a payment request',
        description:
          'Only while it is CREATED; one that is cancelled already is answered again. The body ' +
          'may be left out.',
        tags: TAGS,
        params: PaymentRequestParamsSchema,
        body: CancellationSchema,
        problems: [
          'VALIDATION_ERROR',
          'PAYMENT_REQUEST_NOT_FOUND',
          'ALREADY_PAID',
          'ALREADY_EXPIRED',
          'ALREADY_FAILED',
          'PAYMENT_IN_PROGRESS',
          'IDEMPOTENCY_IN_PROGRESS',
          'VERSION_MISMATCH',
          'IDEMPOTENCY_KEY_REUSED',
        ],
      },
      attachValidation: true,
    },
    (request, reply) => {
      const { members, faults } = readJsonCall(request, CancellationSchema);
      const ifMatch = request.headers['if-match'];
      const asked = { id: request.params.id, body: members, faults, ifMatch };
      return answerChange(move, request, reply, 200, (tx) =>
        cancelPaymentRequest(tx, move, request.merchant.id, asked),
      );
    },
  );
}

function registerUpdate(
  scope: FastifyInstance,
  path: string,
  { move, update, requireMerchant }: PaymentRequestChangeRoutesDeps,
): void {
  registerJsonBody(scope, { mediaTypes: ['application/json', 'application/merge-patch+json'] });
  scope.patch<ChangeRoute>(
    path,
    {
      onRequest: requireMerchant('payment_request/write'),
      preValidation: prepareMergePatch(PaymentRequestUpdateSchema),
      schema: {
        operationId: 'updatePaymentRequest',
        summary: 'Update a payment request',
        description:
          'A JSON Merge Patch (RFC 7396), only while the payment request is CREATED: null takes ' +
          'a field away, metadata is merged key by key. dueDate does not move the expiry.',
        tags: TAGS,
        params: PaymentRequestParamsSchema,
        body: PaymentRequestUpdateSchema,
        problems: [
          'VALIDATION_ERROR',
          'PAYMENT_REQUEST_NOT_FOUND',
          'ALREADY_PAID',
          'ALREADY_EXPIRED',
          'ALREADY_FAILED',
          'ALREADY_CANCELLED',
          'PAYMENT_IN_PROGRESS',
          'VERSION_MISMATCH',
        ],
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const { members, faults } = readJsonCall(request, PaymentRequestUpdateSchema);
      const updated = await updatePaymentRequest(update, request.merchant, {
        id: request.params.id,
        patch: members,
        faults,
        ifMatch: request.headers['if-match'],
      });
      return sendPaymentRequest(reply, updated, move.addresses);
    },
  );
}
