import type { FastifyInstance } from 'fastify';
import { prepareJsonBody, readJsonCall } from '#http/json/call.ts';
import { answerChange } from '#payment-requests/change/reply-once.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import type { TimelineRoutesDeps } from '#payment-requests/timeline/routes.ts';
import { simulateOutcome } from './simulate-outcome.ts';
import { SIMULATE_OPERATION } from './simulation-operation.ts';
import { SimulationSchema } from './simulation-schemas.ts';

export interface SimulationRoutesDeps extends Pick<TimelineRoutesDeps, 'requireMerchant'> {
  readonly move: ChangeStatusDeps;
}

/** Outcomes by hand, in the sandbox only: in production there is nothing at this address. */
export function registerSimulationRoutes(app: FastifyInstance, deps: SimulationRoutesDeps): void {
  const { move } = deps;
  const base = new URL(`${move.settings.publicApiUrl}/sandbox/payment-requests`).pathname;
  app.post<{ Params: { id: string } }>(
    `${base}/:id/simulations`,
    {
      onRequest: deps.requireMerchant('payment_request/write'),
      preValidation: prepareJsonBody(SimulationSchema),
      schema: SIMULATE_OPERATION,
      attachValidation: true,
    },
    (request, reply) => {
      request.paymentRequestId = request.params.id;
      const { members, faults } = readJsonCall(request, SimulationSchema);
      const asked = { id: request.params.id, body: members, faults };
      return answerChange(move, request, reply, 202, (tx) =>
        simulateOutcome(tx, move, request.merchant.id, asked),
      );
    },
  );
}
