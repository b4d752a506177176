import type { FastifySchema } from 'fastify';
import { IDEMPOTENCY_PROBLEM_CODES } from '#lib/problem.ts';
import {
  PaymentRequestParamsSchema,
  paymentRequestAnsweredOnce,
} from '#payment-requests/model/operation-parts.ts';
import { SIMULATE_EXAMPLES } from './simulation-examples.ts';
import { SimulationSchema } from './simulation-schemas.ts';

/** POST /sandbox/payment-requests/{id}/simulations (contract §8). */
export const SIMULATE_OPERATION = {
  operationId: 'simulateOutcome',
  summary: 'Simulate an outcome',
  description:
    'Gives a sandbox payment request an outcome by hand. PAID is possible after FAILED, EXPIRED ' +
    'and CANCELLED too: the money then arrives late.',
  tags: ['Sandbox'],
  scopes: ['payment_request/write'],
  callHeaders: ['Idempotency-Key', 'Prefer'],
  params: PaymentRequestParamsSchema,
  body: SimulationSchema,
  answers: { 202: paymentRequestAnsweredOnce('The payment request with its outcome.') },
  problems: [
    'PAYMENT_REQUEST_NOT_FOUND',
    'ALREADY_PAID',
    'ALREADY_EXPIRED',
    'ALREADY_FAILED',
    'ALREADY_CANCELLED',
    'PAYMENT_IN_PROGRESS',
    ...IDEMPOTENCY_PROBLEM_CODES,
  ],
  examples: SIMULATE_EXAMPLES,
} as const satisfies FastifySchema;
