import type { CallExample } from '#http/json/route-schema.ts';
import {
  EXAMPLE_BODY,
  EXAMPLE_ID,
  examplePaymentRequest,
} from '#payment-requests/model/examples.ts';

const CANCELLED_EXAMPLE = examplePaymentRequest(
  EXAMPLE_BODY,
  {
    status: 'CANCELLED',
    statusReason: {
      code: 'CANCELLED_BY_MERCHANT',
      message: 'The merchant cancelled the payment request.',
    },
  },
  [{ status: 'CANCELLED', dateTime: '2026-03-01T12:05:00.000Z' }],
);

export const CANCEL_EXAMPLES: readonly CallExample[] = [
  {
    name: 'customer',
    summary: 'The customer changed their mind',
    parameters: { id: EXAMPLE_ID },
    body: { reason: 'REQUESTED_BY_CUSTOMER', comment: 'Order 1042 was withdrawn.' },
    status: 200,
    answer: CANCELLED_EXAMPLE,
  },
];

export const UPDATE_EXAMPLES: readonly CallExample[] = [
  {
    name: 'message',
    summary: 'Another message, no business unit, one more key',
    parameters: { id: EXAMPLE_ID },
    body: {
      displayMessage: 'Order 1042: two chairs and a table',
      businessUnit: null,
      metadata: { gift: 'yes' },
    },
    status: 200,
    answer: updated(),
  },
];

function updated() {
  const { businessUnit: _businessUnit, ...body } = EXAMPLE_BODY;
  return examplePaymentRequest(
    {
      ...body,
      displayMessage: 'Order 1042: two chairs and a table',
      metadata: { ...body.metadata, gift: 'yes' },
    },
    { status: 'CREATED' },
  );
}
