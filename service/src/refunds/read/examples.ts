import type { CallExample } from '#http/json/route-schema.ts';
import { EXAMPLE_ID } from '#payment-requests/model/examples.ts';
import {
  COMPLETED_REFUND_EXAMPLE,
  CREATED_REFUND_EXAMPLE,
  EXAMPLE_REFUND_ID,
} from '#refunds/model/examples.ts';

export const READ_EXAMPLES: readonly CallExample[] = [
  {
    name: 'completed',
    summary: 'Completed',
    parameters: { id: EXAMPLE_REFUND_ID },
    status: 200,
    answer: COMPLETED_REFUND_EXAMPLE,
  },
];

const BASE = 'https://api.example.com/v1';

export const LIST_EXAMPLES: readonly CallExample[] = [
  {
    name: 'open',
    summary: 'The newest that are open',
    status: 200,
    answer: {
      data: [CREATED_REFUND_EXAMPLE],
      hasMore: false,
      nextCursor: null,
      links: [{ rel: 'self', href: `${BASE}/refunds?status=CREATED&status=PROCESSING&limit=20` }],
    },
  },
];

export const OF_PAYMENT_EXAMPLES: readonly CallExample[] = [
  {
    name: 'one',
    summary: 'One refund',
    parameters: { id: EXAMPLE_ID },
    status: 200,
    answer: {
      data: [COMPLETED_REFUND_EXAMPLE],
      hasMore: false,
      nextCursor: null,
      links: [{ rel: 'self', href: `${BASE}/payment-requests/${EXAMPLE_ID}/refunds` }],
    },
  },
];
