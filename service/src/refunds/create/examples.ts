import type { CallExample } from '#http/json/route-schema.ts';
import { EXAMPLE_ID } from '#payment-requests/model/examples.ts';
import {
  COMPLETED_REFUND_EXAMPLE,
  CREATED_REFUND_EXAMPLE,
  EXAMPLE_REFUND_REQUEST,
} from '#refunds/model/examples.ts';

const ALL = { merchantRefundId: 'order-1043-refund-1', reason: 'DUPLICATE' } as const;

const { message: _message, ...WITHOUT_MESSAGE } = CREATED_REFUND_EXAMPLE;

export const CREATE_REFUND_EXAMPLES: readonly CallExample[] = [
  {
    name: 'part',
    summary: 'A part of the amount',
    parameters: { id: EXAMPLE_ID },
    body: EXAMPLE_REFUND_REQUEST,
    status: 201,
    answer: CREATED_REFUND_EXAMPLE,
  },
  {
    name: 'all',
    summary: 'All that is available',
    parameters: { id: EXAMPLE_ID },
    body: ALL,
    status: 201,
    answer: {
      ...WITHOUT_MESSAGE,
      merchantRefundId: ALL.merchantRefundId,
      reason: ALL.reason,
      amount: 42.5,
    },
  },
  {
    name: 'repeated',
    summary: 'A repeated call, with the refund as it is by then',
    parameters: { id: EXAMPLE_ID },
    status: 200,
    answer: COMPLETED_REFUND_EXAMPLE,
  },
];
