import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { registerJsonBody } from '#http/json/body.ts';
import { prepareMergePatch, prepareOptionalJsonBody, readJsonCall } from '#http/json/call.ts';
import { inSpan } from '#lib/call-context.ts';
import type { Scope } from '#merchants/scopes.ts';
import { sendPaymentRequest } from '#payment-requests/model/render-answer.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import { cancelPaymentRequest } from './cancel.ts';
import { CANCEL_OPERATION, UPDATE_OPERATION } from './operations.ts';
import { answerChange } from './reply-once.ts';
import { CancellationSchema, PaymentRequestUpdateSchema } from './schemas.ts';
import { type UpdateDeps, updatePaymentRequest } from './update.ts';

export interface ChangeRoutesDeps {
  readonly move: ChangeStatusDeps;
  readonly update: UpdateDeps;
  /** Admits calls that have one of the scopes, and sets `request.merchant` (contract §4). */
  readonly requireMerchant: (...scopes: Scope[]) => onRequestHookHandler;
}

interface ChangeRoute {
  Params: { id: string };
}

/** Cancel and update (contract §4); the update in a scope of its own, as its bodies differ. */
export function registerChangeRoutes(app: FastifyInstance, deps: ChangeRoutesDeps): void {
  const { publicApiUrl } = deps.move.settings;
  const path = `${new URL(`${publicApiUrl}/payment-requests`).pathname}/:id`;
  registerCancellation(app, `${path}/cancellation`, deps);
  app.register(async (scope) => registerUpdate(scope, path, deps));
}

function registerCancellation(
  app: FastifyInstance,
  path: string,
  { move, requireMerchant }: ChangeRoutesDeps,
): void {
  app.post<ChangeRoute>(
    path,
    {
      onRequest: requireMerchant('payment_request/write'),
      preValidation: prepareOptionalJsonBody(CancellationSchema),
      schema: CANCEL_OPERATION,
      attachValidation: true,
    },
    (request, reply) => {
      request.paymentRequestId = request.params.id;
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
  { move, update, requireMerchant }: ChangeRoutesDeps,
): void {
  registerJsonBody(scope, { mediaTypes: ['application/json', 'application/merge-patch+json'] });
  scope.patch<ChangeRoute>(
    path,
    {
      onRequest: requireMerchant('payment_request/write'),
      preValidation: prepareMergePatch(PaymentRequestUpdateSchema),
      schema: UPDATE_OPERATION,
      attachValidation: true,
    },
    async (request, reply) => {
      request.paymentRequestId = request.params.id;
      const { members, faults } = readJsonCall(request, PaymentRequestUpdateSchema);
      const asked = {
        id: request.params.id,
        patch: members,
        faults,
        ifMatch: request.headers['if-match'],
      };
      const updated = await inSpan('update-payment-request', () =>
        updatePaymentRequest(update, request.merchant, asked),
      );
      return sendPaymentRequest(reply, updated, move.settings);
    },
  );
}
