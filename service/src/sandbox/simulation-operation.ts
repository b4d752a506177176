import type { FastifySchema } from 'fastify';
import { IDEMPOTENCY_PROBLEM_CODES } from '#lib/problem.ts';
import {
  PaymentRequestParamsSchema,
  paymentRequestAnsweredOnce,
} from '#payment-requests/model/operation-parts.ts';
import { RefundParamsSchema, refundAnswered } from '#refunds/model/operation-parts.ts';
import {
  ADVANCE_EXAMPLES,
  SIMULATE_EXAMPLES,
  SIMULATE_REFUND_EXAMPLES,
} from './simulation-examples.ts';
import { RefundSimulationSchema, SimulationSchema } from './simulation-schemas.ts';
import { AdvanceAnswerSchema, AdvanceSchema } from './time/advance-schemas.ts';

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

/** POST /sandbox/payment-requests/{id}/advance (decision 0154). */
export const ADVANCE_OPERATION = {
  operationId: 'advancePaymentRequest',
  summary: 'Advance the time of a payment request',
  description:
    'Brings the due instants of a sandbox payment request and its refunds forward: expiry, ' +
    'messages, steps of the simulator, and the waits between attempts of its webhooks. What ' +
    'falls due runs in order. It is over when sandboxAdvancedSeconds of the payment request has ' +
    'reached the sum that is answered.',
  tags: ['Sandbox'],
  scopes: ['payment_request/write'],
  callHeaders: ['Idempotency-Key', 'Prefer'],
  params: PaymentRequestParamsSchema,
  body: AdvanceSchema,
  answers: {
    202: {
      description: 'What will run.',
      headers: ['Idempotency-Replayed'],
      content: { 'application/json': AdvanceAnswerSchema },
    },
  },
  problems: ['PAYMENT_REQUEST_NOT_FOUND', 'ADVANCE_RUNNING', ...IDEMPOTENCY_PROBLEM_CODES],
  examples: ADVANCE_EXAMPLES,
} as const satisfies FastifySchema;
