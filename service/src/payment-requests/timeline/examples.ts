import type { CallExample } from '#http/json/route-schema.ts';
import { EXAMPLE_CREATED_AT, EXAMPLE_ID } from '#payment-requests/model/examples.ts';

export const TIMELINE_EXAMPLES: readonly CallExample[] = [
  {
    name: 'paid',
    summary: 'Paid, and the listener told',
    parameters: { id: EXAMPLE_ID },
    status: 200,
    answer: {
      data: [
        {
          type: 'STATUS_CHANGED',
          dateTime: EXAMPLE_CREATED_AT,
          status: 'CREATED',
          cause: 'CREATED',
        },
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
      links: [
        { rel: 'self', href: `https://api.example.com/v1/payment-requests/${EXAMPLE_ID}/timeline` },
      ],
    },
  },
];
