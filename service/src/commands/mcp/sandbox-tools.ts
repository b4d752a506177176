import { paymentRequestMembers } from '#payment-requests/model/render-json.ts';
import { refundMembers } from '#refunds/model/render-json.ts';
import {
  advanceForPerson,
  simulateOutcomeForPerson,
  simulateRefundForPerson,
} from '#sandbox/simulate-for-person.ts';
import { RefundSimulationSchema, SimulationSchema } from '#sandbox/simulation-schemas.ts';
import { AdvanceSchema } from '#sandbox/time/advance-schemas.ts';
import { reportDepsOf } from '../../compose/connect-network.ts';
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
      const { paymentRequest } = await simulateOutcomeForPerson(surface, deps, id, body);
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
      const { refund } = await simulateRefundForPerson(surface, parts.refund, id, body);
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
      const { answer } = await advanceForPerson(surface, id, seconds);
      return answer;
    },
  },
];
