import { type Static, Type } from 'typebox';
import { REFUSAL_CODES } from './outcomes.ts';
import { REFUND_FAILURE_CODES } from './refunds/plan-refund.ts';

/** The statuses that a call can ask for (contract §8). */
export const SIMULATED_STATUSES = ['PAID', 'FAILED', 'EXPIRED', 'PROCESSING'] as const;
/** The movements of money that a call can ask for, which leave the status as it is. */
export const SIMULATED_MONEY = ['RETURNED', 'PART_PAYMENT', 'SECOND_PAYMENT'] as const;
export const SIMULATED_OUTCOMES = [...SIMULATED_STATUSES, ...SIMULATED_MONEY] as const;

export const SIMULATED_REFUND_OUTCOMES = ['COMPLETED', 'FAILED', 'RETURNED'] as const;

/** The body of POST /sandbox/payment-requests/{id}/simulations. */
export const SimulationSchema = Type.Object({
  outcome: Type.Enum([...SIMULATED_OUTCOMES], {
    description:
      'The status that the payment request is to get, or the money that is to move: RETURNED, ' +
      'PART_PAYMENT or SECOND_PAYMENT.',
  }),
  reason: Type.Optional(
    Type.Enum([...REFUSAL_CODES], {
      description: 'Why it failed, with FAILED only; PAYER_DECLINED when left out.',
    }),
  ),
});

/** The body of POST /sandbox/refunds/{id}/simulations. */
export const RefundSimulationSchema = Type.Object({
  outcome: Type.Enum([...SIMULATED_REFUND_OUTCOMES], {
    description: 'COMPLETED, FAILED, or RETURNED: the money comes back, and the refund is FAILED.',
  }),
  reason: Type.Optional(
    Type.Enum([...REFUND_FAILURE_CODES], {
      description: 'Why it failed, with FAILED only; NETWORK_REJECTED when left out.',
    }),
  ),
});

export type RefundSimulationBody = Static<typeof RefundSimulationSchema>;
export type SimulationBody = Static<typeof SimulationSchema>;
