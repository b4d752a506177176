import type { FastifyInstance } from 'fastify';
import { readJsonCall } from '#http/json/call.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { type MerchantCallDeps, merchantCall } from '#merchants/merchant-call.ts';
import { answerChange, answerWritten } from '#payment-requests/change/reply-once.ts';
import type { ApplyReportDeps } from '#payment-requests/network/apply-report.ts';
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

export interface SimulationRoutesDeps extends MerchantCallDeps {
  readonly move: ApplyReportDeps;
  readonly refund: ChangeRefundDeps;
}

/** Outcomes and time by hand, in the sandbox only: production has nothing at these addresses. */
export function registerSimulationRoutes(app: FastifyInstance, deps: SimulationRoutesDeps): void {
  const { move, refund: change } = deps;
  const { db, clock } = move;
  const base = new URL(`${move.settings.publicApiUrl}/sandbox`).pathname;
  app.post<{ Params: { id: string } }>(
    `${base}/payment-requests/:id/simulations`,
    merchantCall(deps, SIMULATE_OPERATION),
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
    merchantCall(deps, SIMULATE_REFUND_OPERATION),
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
    merchantCall(deps, ADVANCE_OPERATION),
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
