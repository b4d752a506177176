import type { FastifySchema } from 'fastify';
import { IDEMPOTENCY_PROBLEM_CODES } from '#lib/problem.ts';
import {
  PaymentRequestParamsSchema,
  paymentRequestAnsweredOnce,
} from '#payment-requests/model/operation-parts.ts';
import { RefundParamsSchema, refundAnswered } from '#refunds/model/operation-parts.ts';
import { SIMULATE_EXAMPLES, SIMULATE_REFUND_EXAMPLES } from './simulation-examples.ts';
import { RefundSimulationSchema, SimulationSchema } from './simulation-schemas.ts';

/** POST /sandbox/payment-requests/{id}/simulations (contract §8). */
export const SIMULATE_OPERATION = {
  operationId: 'simulateOutcome',
  summary: 'Simulate an outcome',
  description:
    'Gives a sandbox payment request an outcome by hand. PAID is possible after FAILED, EXPIRED ' +
    'and CANCELLED too: the money then arrives late. PART_PAYMENT is half of what is missing, ' +
    'SECOND_PAYMENT the amount once more, and RETURNED takes all that is there back.',
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
    'NOT_PAID',
    ...IDEMPOTENCY_PROBLEM_CODES,
  ],
  examples: SIMULATE_EXAMPLES,
} as const satisfies FastifySchema;

/** POST /sandbox/refunds/{id}/simulations (contract §8). */
export const SIMULATE_REFUND_OPERATION = {
  operationId: 'simulateRefund',
  summary: 'Simulate the outcome of a refund',
  description:
    'Gives a refund of the sandbox an outcome by hand, before or after the one of its message. ' +
    'RETURNED is possible after COMPLETED too: the money comes back, and the refund is FAILED.',
  tags: ['Sandbox'],
  scopes: ['refund/write'],
  callHeaders: ['Idempotency-Key', 'Prefer'],
  params: RefundParamsSchema,
  body: RefundSimulationSchema,
  answers: {
    202: refundAnswered('The refund with its outcome.', ['ETag', 'Idempotency-Replayed']),
  },
  problems: ['REFUND_NOT_FOUND', 'REFUND_OUTCOME_IMPOSSIBLE', ...IDEMPOTENCY_PROBLEM_CODES],
  examples: SIMULATE_REFUND_EXAMPLES,
} as const satisfies FastifySchema;
