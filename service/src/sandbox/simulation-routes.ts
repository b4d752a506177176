import type { FastifyInstance } from 'fastify';
import { prepareJsonBody, readJsonCall } from '#http/json/call.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { answerChange, answerWritten } from '#payment-requests/change/reply-once.ts';
import type { ApplyReportDeps } from '#payment-requests/network/apply-report.ts';
import type { TimelineRoutesDeps } from '#payment-requests/timeline/routes.ts';
import { refundHeaders, renderRefund } from '#refunds/model/render-json.ts';
import type { ChangeRefundDeps } from '#refunds/status/change-refund-status.ts';
import { simulateRefund } from './refunds/simulate-refund.ts';
import { checked, simulateOutcome } from './simulate-outcome.ts';
import {
  ADVANCE_OPERATION,
  SIMULATE_OPERATION,
  SIMULATE_REFUND_OPERATION,
} from './simulation-operation.ts';
import {
  type RefundSimulationBody,
  RefundSimulationSchema,
  SimulationSchema,
} from './simulation-schemas.ts';
import { AdvanceSchema } from './time/advance-schemas.ts';
import { beginAdvance } from './time/begin-advance.ts';

export interface SimulationRoutesDeps extends Pick<TimelineRoutesDeps, 'requireMerchant'> {
  readonly move: ApplyReportDeps;
  readonly refund: ChangeRefundDeps;
}

/** Outcomes and time by hand, in the sandbox only: production has nothing at these addresses. */
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
  registerAdvance(app, deps, base);
}

function registerAdvance(
  app: FastifyInstance,
  { move: { db, clock }, requireMerchant }: SimulationRoutesDeps,
  base: string,
): void {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  app.post<{ Params: { id: string } }>(
    `${base}/payment-requests/:id/advance`,
    {
      onRequest: requireMerchant('payment_request/write'),
      preValidation: prepareJsonBody(AdvanceSchema),
      schema: ADVANCE_OPERATION,
      attachValidation: true,
    },
    (request, reply) => {
      const { merchant, params } = request;
      request.paymentRequestId = params.id;
      const { members, faults } = readJsonCall(request, AdvanceSchema);
      throwFaults(faults);
      return answerWritten(db, request, reply, async (tx) => {
        const seconds = Number(members.seconds);
        const { answer: advance, publish } = await beginAdvance(tx, { db, clock }, merchant.id, {
          id: params.id,
          seconds,
        });
        return { publish, answer: { status: 202, headers, body: JSON.stringify(advance) } };
      });
    },
  );
}
