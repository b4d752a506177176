import { type Static, Type } from 'typebox';
import { REFUSAL_CODES } from './outcomes.ts';

/** The outcomes that a call can ask for (contract §8). */
export const SIMULATED_OUTCOMES = ['PAID', 'FAILED', 'EXPIRED', 'PROCESSING'] as const;

/** The body of POST /sandbox/payment-requests/{id}/simulations. */
export const SimulationSchema = Type.Object({
  outcome: Type.Enum([...SIMULATED_OUTCOMES], {
    description: 'The status that the payment request is to get.',
  }),
  reason: Type.Optional(
    Type.Enum([...REFUSAL_CODES], {
      description: 'Why it failed, with FAILED only; PAYER_DECLINED when left out.',
    }),
  ),
});

export type SimulationBody = Static<typeof SimulationSchema>;
