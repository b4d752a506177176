import type { CallExample } from '#http/json/route-schema.ts';
import { EXAMPLE_CREATED_AT, EXAMPLE_ID } from '#payment-requests/model/examples.ts';

const MESSAGE_ID = '018f2c7e-95b0-7d10-9a2b-4c5d6e7f8091';

const SENT = {
  id: MESSAGE_ID,
  kind: 'REQUEST',
  channel: 'EMAIL',
  status: 'SENT',
  scheduledDateTime: EXAMPLE_CREATED_AT,
  sentDateTime: '2026-03-01T12:00:01.214Z',
  attempts: 1,
  attemptLog: [
    {
      readDateTime: '2026-03-01T12:00:01.020Z',
      endDateTime: '2026-03-01T12:00:01.213Z',
      outcome: 'SENT',
    },
  ],
};

export const LIST_MESSAGES_EXAMPLES: readonly CallExample[] = [
  {
    name: 'sent',
    summary: 'The link was sent',
    parameters: { id: EXAMPLE_ID },
    status: 200,
    answer: {
      data: [SENT],
      hasMore: false,
      nextCursor: null,
      links: [
        { rel: 'self', href: `https://api.example.com/v1/payment-requests/${EXAMPLE_ID}/messages` },
      ],
    },
  },
];

export const SEND_MESSAGE_EXAMPLES: readonly CallExample[] = [
  {
    name: 'again',
    summary: 'Send the link again',
    parameters: { id: EXAMPLE_ID },
    body: { channel: 'EMAIL' },
    status: 201,
    answer: {
      id: '018f2c80-1c4d-7e20-8b3c-5d6e7f809102',
      kind: 'REQUEST',
      channel: 'EMAIL',
      status: 'SCHEDULED',
      scheduledDateTime: '2026-03-01T12:02:00.000Z',
      attempts: 0,
      attemptLog: [],
    },
  },
];
