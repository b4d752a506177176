import type { Executor } from '#database/database.ts';
import { type AuditEntry, recordAct } from '#merchants/audit-log-store.ts';
import { paymentRequestMembers } from '#payment-requests/model/render-json.ts';
import type { Written } from '#payment-requests/status/change-status.ts';
import { refundMembers } from '#refunds/model/render-json.ts';
import { simulateRefund } from '#sandbox/refunds/simulate-refund.ts';
import { checked, simulateOutcome } from '#sandbox/simulate-outcome.ts';
import {
  type RefundSimulationBody,
  RefundSimulationSchema,
  SimulationSchema,
} from '#sandbox/simulation-schemas.ts';
import { AdvanceSchema } from '#sandbox/time/advance-schemas.ts';
import { beginAdvance } from '#sandbox/time/begin-advance.ts';
import { reportDepsOf } from '../../compose/connect-network.ts';
import type { Surface } from './surface.ts';
import { ID, input, type Tool } from './tool.ts';

/** The simulator's calls, by the rules of the merchant's own calls (contract §8). */
export const SANDBOX_TOOLS: readonly Tool[] = [
  {
    name: 'simulate_payment_request',
    description: 'Gives a payment request of the sandbox an outcome; its webhook is sent.',
    input: input(SimulationSchema.properties, { id: ID }),
    changesData: true,
    async run(surface, { id, ...body }) {
      const { foundation, parts } = await surface.service();
      const deps = reportDepsOf({ foundation, ...parts });
      const asked = { id, body, faults: [] };
      const { paymentRequest } = await act(surface, async (tx) => {
        const done = await simulateOutcome(tx, deps, surface.merchantId, asked);
        const { status } = done.paymentRequest;
        return [done, { paymentRequestId: id, ...body, status }];
      });
      return paymentRequestMembers(paymentRequest, surface);
    },
  },
  {
    name: 'simulate_refund',
    description: 'Gives a refund of the sandbox an outcome; its webhook is sent.',
    input: input(RefundSimulationSchema.properties, { id: ID }),
    changesData: true,
    async run(surface, { id, ...body }) {
      const { parts } = await surface.service();
      const asked = checked<RefundSimulationBody>(body, []);
      const { refund } = await act(surface, async (tx) => {
        const done = await simulateRefund(tx, parts.refund, surface.merchantId, id, asked);
        return [done, { refundId: id, ...body, status: done.refund.status }];
      });
      return refundMembers(refund, surface);
    },
  },
  {
    name: 'advance_payment_request',
    description:
      'Brings forward what falls due for a payment request of the sandbox and its refunds: ' +
      'expiry, outcomes, messages, webhook attempts. The running service carries it out.',
    input: input(AdvanceSchema.properties, { id: ID }),
    changesData: true,
    async run(surface, { id, seconds }) {
      const { answer } = await act(surface, async (tx) => {
        const done = await beginAdvance(tx, surface, surface.merchantId, { id, seconds });
        return [done, { paymentRequestId: id, seconds }];
      });
      return answer;
    },
  },
];

/** Acts by one transaction, which ends with the entry of the audit log. */
async function act<Done extends Written>(
  surface: Surface,
  work: (tx: Executor) => Promise<[Done, AuditEntry['details']]>,
): Promise<Done> {
  const done = await surface.db.transaction(async (tx) => {
    const [done, details] = await work(tx);
    await recordAct(tx, surface, 'OUTCOME_SIMULATED', surface.merchantId, details);
    return done;
  });
  done.publish();
  return done;
}
