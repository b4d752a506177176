import type { CallExample } from '#http/json/route-schema.ts';

/** The payment of the example of a payment request. */
export const PAYMENT_ENTRY_EXAMPLE = {
  id: '018f2c7e-bd02-7b11-8c43-0f1e2d3c4b5a',
  type: 'PAYMENT',
  amount: 249.9,
  currency: 'CAD',
  paymentRequestId: '018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f',
  refundId: null,
  networkReference: 'SIM-7F3K9Q2M',
  bankReference: null,
  bookingDate: null,
  createdDateTime: '2026-03-01T12:00:10.003Z',
};

const REFUND_ENTRY_EXAMPLE = {
  ...PAYMENT_ENTRY_EXAMPLE,
  id: '018f2c80-11a0-7d29-9a05-6b7c8d9e0f1a',
  type: 'REFUND',
  amount: -49.9,
  refundId: '018f2c7f-5d10-7e02-b3a1-2c4d6e8f0a1b',
  networkReference: 'SIM-2P8W5X1C',
  createdDateTime: '2026-03-01T12:02:31.840Z',
};

const NEXT_CURSOR = 'AU5w3uFZw4pxAAAAAAAAA_8AAAAAAAAAKg';

export const ENTRIES_EXAMPLES: readonly CallExample[] = [
  {
    name: 'entries',
    summary: 'A payment and a partial refund',
    status: 200,
    answer: {
      data: [PAYMENT_ENTRY_EXAMPLE, REFUND_ENTRY_EXAMPLE],
      hasMore: false,
      nextCursor: NEXT_CURSOR,
      links: [
        { rel: 'self', href: 'https://api.example.com/v1/ledger-entries?from=2026-03-01' },
        {
          rel: 'next',
          href: `https://api.example.com/v1/ledger-entries?from=2026-03-01&after=${NEXT_CURSOR}`,
        },
      ],
    },
  },
];
