import type { CallExample } from '#http/json/route-schema.ts';

const ID = '018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f';
const CREATED_AT = '2026-03-01T12:00:00.000Z';

const FULL_BODY = {
  merchantTransactionId: '7e6b1f0c9d2a4b58a1c3e5f708192a3b',
  amount: 149.95,
  type: 'ECOMM',
  deliveryMode: 'NONE',
  payer: {
    name: 'Ada Tremblay',
    merchantAccountId: 'customer-2207',
    email: 'ada.tremblay@example.com',
    mobileNumber: '+1 (514) 555-0142',
    preferredLanguage: 'fr',
  },
  dueDate: '2026-03-15',
  displayMessage: 'Order 1042: two chairs',
  invoiceNumber: 'INV-1042',
  businessUnit: 'Web shop',
  emailTemplate: { id: 'default' },
  metadata: { orderId: '1042', channel: 'web' },
} as const;

const MERCHANT = { id: 'mer_4c1f9a7b2d3e8f605142', name: 'Demo Shop' } as const;

const CREATED_EVENT = { status: 'CREATED', dateTime: CREATED_AT } as const;

/** An answer in the order of contract §4. */
function paymentRequest(body: object, status: object, laterEvents: readonly object[] = []) {
  return {
    id: ID,
    ...body,
    merchant: MERCHANT,
    ...status,
    createdDateTime: CREATED_AT,
    expiryDateTime: '2026-03-15T23:59:59.999Z',
    shortCode: 'q7Rw2Kd9ZxT4bNfA',
    paymentLink: 'https://api.example.com/pay/q7Rw2Kd9ZxT4bNfA',
    qrCodeLink: 'https://api.example.com/pay/qr/q7Rw2Kd9ZxT4bNfA',
    events: [CREATED_EVENT, ...laterEvents],
    links: [{ rel: 'payment-request', href: `https://api.example.com/v1/payment-requests/${ID}` }],
  };
}

export const CREATED_EXAMPLE = paymentRequest(FULL_BODY, { status: 'CREATED' });

export const PAID_EXAMPLE = paymentRequest(
  FULL_BODY,
  {
    status: 'PAID',
    payment: {
      institution: 'Simulated Institution',
      networkReference: 'SIM-7F3K9Q2M',
      completedDateTime: '2026-03-01T12:00:09.412Z',
    },
  },
  [{ status: 'PAID', dateTime: '2026-03-01T12:00:10.003Z' }],
);

export const FAILED_EXAMPLE = paymentRequest(
  FULL_BODY,
  {
    status: 'FAILED',
    statusReason: {
      code: 'INSUFFICIENT_FUNDS',
      message: 'The payer’s account does not hold enough money.',
    },
  },
  [{ status: 'FAILED', dateTime: '2026-03-01T12:00:10.003Z' }],
);

const CANCELLED_EXAMPLE = paymentRequest(
  FULL_BODY,
  {
    status: 'CANCELLED',
    statusReason: {
      code: 'CANCELLED_BY_MERCHANT',
      message: 'The merchant cancelled the payment request.',
    },
  },
  [{ status: 'CANCELLED', dateTime: '2026-03-01T12:05:00.000Z' }],
);

const SHORT_BODY = {
  amount: 10,
  type: 'ECOMM',
  payer: { name: 'depositSubmit', email: 'ada.tremblay@example.com' },
} as const;

export const CREATE_EXAMPLES: readonly CallExample[] = [
  {
    name: 'short',
    summary: 'The least there is (in the sandbox: paid after about 10 seconds)',
    body: SHORT_BODY,
    status: 201,
    answer: paymentRequest({ ...SHORT_BODY, dueDate: '2026-03-02' }, { status: 'CREATED' }),
  },
  {
    name: 'full',
    summary: 'Everything that can be said',
    body: FULL_BODY,
    status: 201,
    answer: CREATED_EXAMPLE,
  },
  {
    name: 'invalid',
    summary: 'Two fields are wrong',
    body: { amount: 10.005, type: 'ECOMM', payer: { name: 'Ada Tremblay' } },
    status: 400,
  },
];

export const LIST_EXAMPLES: readonly CallExample[] = [
  {
    name: 'open',
    summary: 'The newest that are open',
    status: 200,
    answer: {
      data: [CREATED_EXAMPLE],
      hasMore: false,
      nextCursor: null,
      links: [
        {
          rel: 'self',
          href:
            'https://api.example.com/v1/payment-requests' +
            '?status=CREATED&status=PROCESSING&limit=20',
        },
      ],
    },
  },
];

export const READ_EXAMPLES: readonly CallExample[] = [
  {
    name: 'paid',
    summary: 'Paid',
    parameters: { id: ID },
    status: 200,
    answer: PAID_EXAMPLE,
  },
  {
    name: 'failed',
    summary: 'Failed',
    parameters: { id: ID },
    status: 200,
    answer: FAILED_EXAMPLE,
  },
];

export const CANCEL_EXAMPLES: readonly CallExample[] = [
  {
    name: 'customer',
    summary: 'The customer changed their mind',
    parameters: { id: ID },
    body: { reason: 'REQUESTED_BY_CUSTOMER', comment: 'Order 1042 was withdrawn.' },
    status: 200,
    answer: CANCELLED_EXAMPLE,
  },
];

export const UPDATE_EXAMPLES: readonly CallExample[] = [
  {
    name: 'message',
    summary: 'Another message, no business unit, one more key',
    parameters: { id: ID },
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
  const { businessUnit: _businessUnit, ...body } = FULL_BODY;
  return paymentRequest(
    {
      ...body,
      displayMessage: 'Order 1042: two chairs and a table',
      metadata: { ...body.metadata, gift: 'yes' },
    },
    { status: 'CREATED' },
  );
}

export const TIMELINE_EXAMPLES: readonly CallExample[] = [
  {
    name: 'paid',
    summary: 'Paid, and the listener told',
    parameters: { id: ID },
    status: 200,
    answer: {
      data: [
        { type: 'STATUS_CHANGED', dateTime: CREATED_AT, status: 'CREATED', cause: 'CREATED' },
        { type: 'LINK_OPENED', dateTime: '2026-03-01T12:00:04.120Z' },
        {
          type: 'STATUS_CHANGED',
          dateTime: '2026-03-01T12:00:10.003Z',
          status: 'PAID',
          cause: 'PAYMENT_SUCCEEDED',
        },
        {
          type: 'WEBHOOK_ATTEMPTED',
          dateTime: '2026-03-01T12:00:10.031Z',
          eventId: '018f2c7e-bcd3-7a10-9f21-5e6d7c8b9a01',
          eventType: 'PAYMENT-COMPLETED',
          sequence: 1,
          deliveryId: '018f2c7e-bcd4-7b02-8c3d-1f2e3d4c5b6a',
          url: 'https://shop.example.com/webhooks/payments',
          attempt: 1,
          outcome: 'SUCCEEDED',
          message: 'The listener answered 2xx.',
          httpStatus: 204,
          durationMs: 42,
        },
      ],
      hasMore: false,
      nextCursor: null,
      links: [{ rel: 'self', href: `https://api.example.com/v1/payment-requests/${ID}/timeline` }],
    },
  },
];

export const SIMULATE_EXAMPLES: readonly CallExample[] = [
  {
    name: 'processing',
    summary: 'The payer has confirmed',
    parameters: { id: ID },
    body: { outcome: 'PROCESSING' },
    status: 202,
    answer: paymentRequest(FULL_BODY, { status: 'PROCESSING' }, [
      { status: 'PROCESSING', dateTime: '2026-03-01T12:00:10.003Z' },
    ]),
  },
  {
    name: 'refused',
    summary: 'The institution refuses',
    parameters: { id: ID },
    body: { outcome: 'FAILED', reason: 'INSUFFICIENT_FUNDS' },
    status: 202,
    answer: FAILED_EXAMPLE,
  },
];
