import type { FastifyInstance } from 'fastify';
import { registerJsonBody } from '#http/json/body.ts';
import { readJsonCall } from '#http/json/call.ts';
import { inSpan } from '#lib/call-context.ts';
import { type MerchantCallDeps, merchantCall } from '#merchants/merchant-call.ts';
import { sendPaymentRequest } from '#payment-requests/model/render-answer.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import { cancelPaymentRequest } from './cancel.ts';
import { CANCEL_OPERATION, UPDATE_OPERATION } from './operations.ts';
import { answerChange } from './reply-once.ts';
import { CancellationSchema, PaymentRequestUpdateSchema } from './schemas.ts';
import { type UpdateDeps, updatePaymentRequest } from './update.ts';

export interface ChangeRoutesDeps extends MerchantCallDeps {
  readonly move: ChangeStatusDeps;
  readonly update: UpdateDeps;
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

function registerCancellation(app: FastifyInstance, path: string, deps: ChangeRoutesDeps): void {
  const { move } = deps;
  app.post<ChangeRoute>(path, merchantCall(deps, CANCEL_OPERATION), (request, reply) => {
    request.paymentRequestId = request.params.id;
    const { members, faults } = readJsonCall(request, CancellationSchema);
    const ifMatch = request.headers['if-match'];
    const asked = { id: request.params.id, body: members, faults, ifMatch };
    return answerChange(move, request, reply, 200, (tx) =>
      cancelPaymentRequest(tx, move, request.merchant.id, asked),
    );
  });
}

function registerUpdate(scope: FastifyInstance, path: string, deps: ChangeRoutesDeps): void {
  const { move, update } = deps;
  registerJsonBody(scope, { mediaTypes: ['application/json', 'application/merge-patch+json'] });
  scope.patch<ChangeRoute>(path, merchantCall(deps, UPDATE_OPERATION), async (request, reply) => {
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
  });
}
