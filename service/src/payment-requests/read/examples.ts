import type { CallExample } from '#http/json/route-schema.ts';
import {
  CREATED_EXAMPLE,
  EXAMPLE_ID,
  FAILED_EXAMPLE,
  PAID_EXAMPLE,
} from '#payment-requests/model/examples.ts';

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
    parameters: { id: EXAMPLE_ID },
    status: 200,
    answer: PAID_EXAMPLE,
  },
  {
    name: 'failed',
    summary: 'Failed',
    parameters: { id: EXAMPLE_ID },
    status: 200,
    answer: FAILED_EXAMPLE,
  },
];
