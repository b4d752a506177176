import type { Executor } from '#database/database.ts';
import { type AuditEntry, recordAct } from '#merchants/audit-log-store.ts';
import { paymentRequestMembers } from '#payment-requests/model/render-json.ts';
import { refundMembers } from '#refunds/model/render-json.ts';
import { simulateRefund } from '#sandbox/refunds/simulate-refund.ts';
import { checked, simulateOutcome } from '#sandbox/simulate-outcome.ts';
import {
  type RefundSimulationBody,
  RefundSimulationSchema,
  SimulationSchema,
} from '#sandbox/simulation-schemas.ts';
import { reportDepsOf } from '../../compose/connect-network.ts';
import type { Surface } from './surface.ts';
import { ID, input, type Tool } from './tool.ts';

/** The simulator's calls, by the rules of the merchant's own calls (contract §8). */
export const SANDBOX_TOOLS: readonly Tool[] = [
  {
    name: 'simulate_payment_request',
    description: 'Gives a payment request of the sandbox an outcome; its webhook is sent.',
    input: input(SimulationSchema.properties, { id: ID }),
    isReadOnly: false,
    async run(surface, { id, ...body }) {
      const { foundation, parts } = await surface.service();
      const deps = reportDepsOf({ foundation, ...parts });
      const { paymentRequest, publish } = await surface.db.transaction(async (tx) => {
        const asked = { id, body, faults: [] };
        const changed = await simulateOutcome(tx, deps, surface.merchantId, asked);
        const { status } = changed.paymentRequest;
        await record(tx, surface, { paymentRequestId: id, ...body, status });
        return changed;
      });
      publish();
      return paymentRequestMembers(paymentRequest, surface);
    },
  },
  {
    name: 'simulate_refund',
    description: 'Gives a refund of the sandbox an outcome; its webhook is sent.',
    input: input(RefundSimulationSchema.properties, { id: ID }),
    isReadOnly: false,
    async run(surface, { id, ...body }) {
      const { parts } = await surface.service();
      const asked = checked<RefundSimulationBody>(body, []);
      const { refund, publish } = await surface.db.transaction(async (tx) => {
        const changed = await simulateRefund(tx, parts.refund, surface.merchantId, id, asked);
        await record(tx, surface, { refundId: id, ...body, status: changed.refund.status });
        return changed;
      });
      publish();
      return refundMembers(refund, surface);
    },
  },
];

function record(tx: Executor, surface: Surface, details: AuditEntry['details']): Promise<void> {
  return recordAct(tx, surface, 'OUTCOME_SIMULATED', surface.merchantId, details);
}
