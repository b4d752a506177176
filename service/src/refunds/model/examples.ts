import { EXAMPLE_ID } from '#payment-requests/model/examples.ts';
import type { RefundBody } from './answer-schemas.ts';
import { REFUND_STATUS_REASONS } from './statuses.ts';

export const EXAMPLE_REFUND_ID = '018f2c81-4b7d-7e21-9c5f-6a7b8c9d0e1f';

export const EXAMPLE_REFUND_REQUEST = {
  amount: 4.5,
  merchantRefundId: 'order-1042-refund-1',
  message: 'Refund of order 1042',
} as const;

const CREATED_AT = '2026-03-02T09:30:00.000Z';

/** A refund as an answer to the example's body could be. */
export const CREATED_REFUND_EXAMPLE: RefundBody = {
  id: EXAMPLE_REFUND_ID,
  paymentRequestId: EXAMPLE_ID,
  merchantRefundId: EXAMPLE_REFUND_REQUEST.merchantRefundId,
  reason: 'REQUESTED_BY_CUSTOMER',
  message: EXAMPLE_REFUND_REQUEST.message,
  amount: EXAMPLE_REFUND_REQUEST.amount,
  currency: 'CAD',
  status: 'CREATED',
  createdDateTime: CREATED_AT,
  events: [{ status: 'CREATED', dateTime: CREATED_AT }],
  links: [
    { rel: 'refund', href: `https://api.example.com/v1/refunds/${EXAMPLE_REFUND_ID}` },
    {
      rel: 'payment-request',
      href: `https://api.example.com/v1/payment-requests/${EXAMPLE_ID}`,
    },
  ],
};

export const COMPLETED_REFUND_EXAMPLE: RefundBody = {
  ...CREATED_REFUND_EXAMPLE,
  status: 'COMPLETED',
  payment: {
    networkReference: 'SR7K2M9QX4TB',
    completedDateTime: '2026-03-02T09:30:03.120Z',
  },
  events: [
    ...CREATED_REFUND_EXAMPLE.events,
    { status: 'PROCESSING', dateTime: '2026-03-02T09:30:01.015Z' },
    { status: 'COMPLETED', dateTime: '2026-03-02T09:30:03.120Z' },
  ],
};

const RETURNED_AT = '2026-03-04T07:12:45.300Z';

export const FAILED_REFUND_EXAMPLE = {
  ...COMPLETED_REFUND_EXAMPLE,
  status: 'FAILED',
  statusReason: {
    code: 'REFUND_RETURNED',
    message: REFUND_STATUS_REASONS.REFUND_RETURNED,
  },
  events: [...COMPLETED_REFUND_EXAMPLE.events, { status: 'FAILED', dateTime: RETURNED_AT }],
} as const satisfies RefundBody;
