import type { CallExample } from '#http/json/route-schema.ts';
import {
  EXAMPLE_BODY,
  EXAMPLE_ID,
  examplePaymentRequest,
  FAILED_EXAMPLE,
} from '#payment-requests/model/examples.ts';
import { EXAMPLE_REFUND_ID, FAILED_REFUND_EXAMPLE } from '#refunds/model/examples.ts';

export const SIMULATE_EXAMPLES: readonly CallExample[] = [
  {
    name: 'processing',
    summary: 'The payer has confirmed',
    parameters: { id: EXAMPLE_ID },
    body: { outcome: 'PROCESSING' },
    status: 202,
    answer: examplePaymentRequest(EXAMPLE_BODY, { status: 'PROCESSING' }, [
      { status: 'PROCESSING', dateTime: '2026-03-01T12:00:10.003Z' },
    ]),
  },
  {
    name: 'refused',
    summary: 'The institution refuses',
    parameters: { id: EXAMPLE_ID },
    body: { outcome: 'FAILED', reason: 'INSUFFICIENT_FUNDS' },
    status: 202,
    answer: FAILED_EXAMPLE,
  },
];

export const SIMULATE_REFUND_EXAMPLES: readonly CallExample[] = [
  {
    name: 'returned',
    summary: 'The money of the refund comes back',
    parameters: { id: EXAMPLE_REFUND_ID },
    body: { outcome: 'RETURNED' },
    status: 202,
    answer: FAILED_REFUND_EXAMPLE,
  },
];

export const ADVANCE_EXAMPLES: readonly CallExample[] = [
  {
    name: 'threeDays',
    summary: 'The link expires',
    parameters: { id: EXAMPLE_ID },
    body: { seconds: 259_200 },
    status: 202,
    answer: {
      paymentRequestId: EXAMPLE_ID,
      sandboxAdvancedSeconds: 259_200,
      willRun: [{ type: 'EXPIRY', id: EXAMPLE_ID, dueDateTime: '2026-03-02T12:00:00.000Z' }],
    },
  },
];
