import type { CallExample } from '#http/json/route-schema.ts';
import { PAYMENT_ENTRY_EXAMPLE } from '#ledger/entries/examples.ts';

const NONE = { count: 0, data: [], hasMore: false };

export const REPORT_EXAMPLES: readonly CallExample[] = [
  {
    name: 'day',
    summary: 'A day with a payment, a partial refund and unmatched money',
    parameters: { date: '2026-03-01' },
    status: 200,
    answer: {
      date: '2026-03-01',
      timeZone: 'America/Toronto',
      currency: 'CAD',
      openingSum: 1200,
      closingSum: 1450,
      otherCurrencies: [],
      totals: [
        { type: 'PAYMENT', currency: 'CAD', count: 1, amount: 249.9 },
        { type: 'REFUND', currency: 'CAD', count: 1, amount: -49.9 },
        { type: 'UNMATCHED', currency: 'CAD', count: 1, amount: 50 },
      ],
      paidWithoutMoney: NONE,
      moneyWithoutPaymentRequest: {
        count: 1,
        data: [
          {
            ...PAYMENT_ENTRY_EXAMPLE,
            id: '018f2c81-0b7c-7f60-8e14-1a2b3c4d5e6f',
            type: 'UNMATCHED',
            amount: 50,
            paymentRequestId: null,
            networkReference: 'SIM-9D4T6H0R',
          },
        ],
        hasMore: false,
      },
      nextCursor: 'AU5w3uFZw4pxAAAAAAAAA_8AAAAAAAAAKg',
    },
  },
];
