import type { FastifyInstance } from 'fastify';
import { prepareJsonBody, readJsonCall } from '#http/json/call.ts';
import { answerChange, answerWritten } from '#payment-requests/change/reply-once.ts';
import type { ApplyReportDeps } from '#payment-requests/network/apply-report.ts';
import type { TimelineRoutesDeps } from '#payment-requests/timeline/routes.ts';
import { refundHeaders, renderRefund } from '#refunds/model/render-json.ts';
import type { ChangeRefundDeps } from '#refunds/status/change-refund-status.ts';
import { simulateRefund } from './refunds/simulate-refund.ts';
import { checked, simulateOutcome } from './simulate-outcome.ts';
import { SIMULATE_OPERATION, SIMULATE_REFUND_OPERATION } from './simulation-operation.ts';
import {
  type RefundSimulationBody,
  RefundSimulationSchema,
  SimulationSchema,
} from './simulation-schemas.ts';

export interface SimulationRoutesDeps extends Pick<TimelineRoutesDeps, 'requireMerchant'> {
  readonly move: ApplyReportDeps;
  readonly refund: ChangeRefundDeps;
}

/** Outcomes by hand, in the sandbox only: in production there is nothing at these addresses. */
export function registerSimulationRoutes(app: FastifyInstance, deps: SimulationRoutesDeps): void {
  const { move, refund: change } = deps;
  const base = new URL(`${move.settings.publicApiUrl}/sandbox`).pathname;
  app.post<{ Params: { id: string } }>(
    `${base}/payment-requests/:id/simulations`,
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
  app.post<{ Params: { id: string } }>(
    `${base}/refunds/:id/simulations`,
    {
      onRequest: deps.requireMerchant('refund/write'),
      preValidation: prepareJsonBody(RefundSimulationSchema),
      schema: SIMULATE_REFUND_OPERATION,
      attachValidation: true,
    },
    (request, reply) => {
      const { members, faults } = readJsonCall(request, RefundSimulationSchema);
      const asked = checked<RefundSimulationBody>(members, faults);
      const { merchant, params } = request;
      return answerWritten(move.db, request, reply, async (tx) => {
        const { refund, publish } = await simulateRefund(tx, change, merchant.id, params.id, asked);
        const headers = refundHeaders(202, refund, change.settings);
        const body = renderRefund(refund, change.settings);
        return { publish, answer: { status: 202, headers, body } };
      });
    },
  );
}
