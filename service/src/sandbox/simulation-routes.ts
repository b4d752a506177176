import type { FastifyInstance, FastifySchema } from 'fastify';
import { prepareJsonBody, readJsonCall } from '#http/json/call.ts';
import type { ObjectSchema } from '#http/json/normalise-body.ts';
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

type Scope = Parameters<SimulationRoutesDeps['requireMerchant']>[0];

/** Outcomes and time by hand, in the sandbox only: production has nothing at these addresses. */
export function registerSimulationRoutes(app: FastifyInstance, deps: SimulationRoutesDeps): void {
  const { move, refund: change } = deps;
  const { db, clock } = move;
  const base = new URL(`${move.settings.publicApiUrl}/sandbox`).pathname;
  const options = (scope: Scope, body: ObjectSchema, schema: FastifySchema) => ({
    onRequest: deps.requireMerchant(scope),
    preValidation: prepareJsonBody(body),
    schema,
    attachValidation: true,
  });
  app.post<{ Params: { id: string } }>(
    `${base}/payment-requests/:id/simulations`,
    options('payment_request/write', SimulationSchema, SIMULATE_OPERATION),
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
    options('refund/write', RefundSimulationSchema, SIMULATE_REFUND_OPERATION),
    (request, reply) => {
      const { members, faults } = readJsonCall(request, RefundSimulationSchema);
      const asked = checked<RefundSimulationBody>(members, faults);
      const { merchant, params } = request;
      return answerWritten(db, request, reply, async (tx) => {
        const { refund, publish } = await simulateRefund(tx, change, merchant.id, params.id, asked);
        const headers = refundHeaders(202, refund, change.settings);
        const body = renderRefund(refund, change.settings);
        return { publish, answer: { status: 202, headers, body } };
      });
    },
  );
  app.post<{ Params: { id: string } }>(
    `${base}/payment-requests/:id/advance`,
    options('payment_request/write', AdvanceSchema, ADVANCE_OPERATION),
    (request, reply) => {
      const { merchant, params } = request;
      request.paymentRequestId = params.id;
      const { members, faults } = readJsonCall(request, AdvanceSchema);
      throwFaults(faults);
      const asked = { id: params.id, seconds: Number(members.seconds) };
      return answerWritten(db, request, reply, async (tx) => {
        const { answer, publish } = await beginAdvance(tx, { db, clock }, merchant.id, asked);
        const headers = { 'content-type': 'application/json; charset=utf-8' };
        return { publish, answer: { status: 202, headers, body: JSON.stringify(answer) } };
      });
    },
  );
}
