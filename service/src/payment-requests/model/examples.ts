import { FIELDS, PAYER_FIELDS } from './fields.ts';

export const EXAMPLE_ID = '018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f';
export const EXAMPLE_CREATED_AT = '2026-03-01T12:00:00.000Z';

/** The body of a creation with every field that has an example. */
export const EXAMPLE_BODY = examplesOf({
  ...FIELDS,
  payer: { example: examplesOf(PAYER_FIELDS) },
});

const MERCHANT = { id: 'mer_4c1f9a7b2d3e8f605142', name: 'Demo Shop' } as const;

const CREATED_EVENT = { status: 'CREATED', dateTime: EXAMPLE_CREATED_AT } as const;

/** A payment request of an answer, in the member order of contract §4. */
export function examplePaymentRequest(
  body: object,
  status: object,
  laterEvents: readonly object[] = [],
) {
  const members = Object.entries(body).flatMap((member) =>
    member[0] === 'amount' ? [member, ['currency', 'CAD']] : [member],
  );
  return {
    id: EXAMPLE_ID,
    ...Object.fromEntries(members),
    merchant: MERCHANT,
    ...status,
    createdDateTime: EXAMPLE_CREATED_AT,
    expiryDateTime: '2026-03-15T23:59:59.999Z',
    shortCode: 'q7Rw2Kd9ZxT4bNfA',
    paymentLink: 'https://api.example.com/pay/q7Rw2Kd9ZxT4bNfA',
    qrCodeLink: 'https://api.example.com/pay/qr/q7Rw2Kd9ZxT4bNfA',
    events: [CREATED_EVENT, ...laterEvents],
    links: [
      { rel: 'payment-request', href: `https://api.example.com/v1/payment-requests/${EXAMPLE_ID}` },
    ],
  };
}

export const CREATED_EXAMPLE = examplePaymentRequest(EXAMPLE_BODY, { status: 'CREATED' });

export const PAID_EXAMPLE = examplePaymentRequest(
  EXAMPLE_BODY,
  {
    status: 'PAID',
    payment: {
      institution: 'Simulated Institution',
      networkReference: 'SIM-7F3K9Q2M',
      completedDateTime: '2026-03-01T12:00:09.412Z',
      amountReceived: 149.95,
    },
    refundSummary: {
      status: 'NONE',
      amountReceived: 149.95,
      amountReturned: 0,
      amountRefunded: 0,
      amountAvailable: 149.95,
    },
  },
  [{ status: 'PAID', dateTime: '2026-03-01T12:00:10.003Z' }],
);

/** A bank took all money back after the payment: the status stays PAID. */
export const RETURNED_EXAMPLE = {
  ...PAID_EXAMPLE,
  refundSummary: {
    status: 'NONE',
    amountReceived: 149.95,
    amountReturned: 149.95,
    amountRefunded: 0,
    amountAvailable: 0,
  },
};

export const FAILED_EXAMPLE = examplePaymentRequest(
  EXAMPLE_BODY,
  {
    status: 'FAILED',
    statusReason: {
      code: 'INSUFFICIENT_FUNDS',
      message: 'The payer’s account does not hold enough money.',
    },
  },
  [{ status: 'FAILED', dateTime: '2026-03-01T12:00:10.003Z' }],
);

/** The payer's mail server refused the message with the link. */
export const UNDELIVERED_EXAMPLE = {
  ...CREATED_EXAMPLE,
  deliveryMode: 'EMAIL',
  linkMessage: {
    id: '018f2c7e-95b0-7d10-9a2b-4c5d6e7f8091',
    status: 'FAILED',
    reason: 'REFUSED_BY_SERVER',
    dateTime: '2026-03-01T12:00:01.214Z',
  },
};

type Examples<Table> = {
  readonly [Name in keyof Table as Table[Name] extends { readonly example: unknown }
    ? Name
    : never]: Table[Name] extends { readonly example: infer Example } ? Example : never;
};

function examplesOf<Table extends Readonly<Record<string, object>>>(table: Table): Examples<Table> {
  const examples = Object.entries(table).flatMap(([name, field]) =>
    'example' in field ? [[name, field.example]] : [],
  );
  return Object.fromEntries(examples);
}
