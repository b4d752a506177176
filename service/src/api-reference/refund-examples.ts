import { EXAMPLE_ID } from '#payment-requests/model/examples.ts';

const REFUND_ID = '018f2d10-6b7c-7e8f-9a0b-1c2d3e4f5a6b';

const REFUND = {
  id: REFUND_ID,
  paymentRequestId: EXAMPLE_ID,
  merchantRefundId: 'order-1042-return-1',
  amount: 4.5,
  currency: 'CAD',
  reason: 'REQUESTED_BY_CUSTOMER',
} as const;

const CREATED = {
  createdDateTime: '2026-03-02T09:00:00.000Z',
  links: [
    { rel: 'refund', href: `https://api.example.com/v1/refunds/${REFUND_ID}` },
    { rel: 'payment-request', href: `https://api.example.com/v1/payment-requests/${EXAMPLE_ID}` },
  ],
} as const;

const FIRST_EVENTS = [
  { status: 'CREATED', dateTime: '2026-03-02T09:00:00.000Z' },
  { status: 'PROCESSING', dateTime: '2026-03-02T09:00:01.000Z' },
] as const;

export const REFUND_EXAMPLE = {
  ...REFUND,
  status: 'COMPLETED',
  payment: {
    networkReference: 'SIM-R4T8W1ZC',
    completedDateTime: '2026-03-02T09:00:03.000Z',
  },
  ...CREATED,
  events: [...FIRST_EVENTS, { status: 'COMPLETED', dateTime: '2026-03-02T09:00:03.100Z' }],
} as const;

export const FAILED_REFUND_EXAMPLE = {
  ...REFUND,
  status: 'FAILED',
  statusReason: {
    code: 'ACCOUNT_RESTRICTED',
    message: 'The payer’s account cannot be used for this payment.',
  },
  ...CREATED,
  events: [...FIRST_EVENTS, { status: 'FAILED', dateTime: '2026-03-02T09:00:03.100Z' }],
} as const;
