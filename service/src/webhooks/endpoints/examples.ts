import type { CallExample } from '#http/json/route-schema.ts';

const ENDPOINT_ID = '018f2c80-4a1b-7d6e-9c2f-7a8b9c0d1e2f';
const DELIVERY_ID = '018f2c7e-bcd4-7b02-8c3d-1f2e3d4c5b6a';
const URL = 'https://shop.example.com/webhooks/payments';
const ENDPOINT_PATH = { id: ENDPOINT_ID } as const;

const ENDPOINT = {
  id: ENDPOINT_ID,
  url: URL,
  eventTypes: ['PAYMENT-COMPLETED'],
  description: 'The web shop’s orders',
  status: 'ACTIVE',
  username: 'payments',
  signingSecret: 'whsec_MfKQ…',
  createdDateTime: '2026-03-01T12:00:00.000Z',
} as const;

const NEW_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1fQm0Vt3a2c=';

export const REGISTER_EXAMPLES: readonly CallExample[] = [
  {
    name: 'completed',
    summary: 'Told of completed payments only; the credentials are made',
    body: {
      url: URL,
      eventTypes: ['PAYMENT-COMPLETED'],
      description: 'The web shop’s orders',
    },
    status: 201,
    answer: {
      ...ENDPOINT,
      username: 'whk_5f1d7c9a3b2e',
      password: 'kW3vT9yQ2mXc7LpR4sZa8NfB6dHj1GeU0oYi5tKqVxM',
      signingSecret: NEW_SECRET,
    },
  },
];

export const LIST_ENDPOINTS_EXAMPLES: readonly CallExample[] = [
  {
    name: 'one',
    summary: 'One endpoint',
    status: 200,
    answer: {
      data: [ENDPOINT],
      hasMore: false,
      nextCursor: null,
      links: [{ rel: 'self', href: 'https://api.example.com/v1/webhook-endpoints' }],
    },
  },
];

export const READ_ENDPOINT_EXAMPLES: readonly CallExample[] = [
  {
    name: 'paused',
    summary: 'A paused endpoint',
    parameters: ENDPOINT_PATH,
    status: 200,
    answer: {
      ...ENDPOINT,
      status: 'PAUSED',
      statusReason: {
        code: 'GONE',
        message: 'The listener answered 410: it wants nothing more at this URL.',
      },
    },
  },
];

export const UPDATE_ENDPOINT_EXAMPLES: readonly CallExample[] = [
  {
    name: 'all',
    summary: 'Told of all events, also of refunds and returned money',
    parameters: ENDPOINT_PATH,
    body: { eventTypes: ['*'] },
    status: 200,
    answer: { ...ENDPOINT, eventTypes: ['*'] },
  },
  {
    name: 'withoutFilter',
    summary: 'Told of completed and failed payments, without a note',
    parameters: ENDPOINT_PATH,
    body: { eventTypes: null, description: null },
    status: 200,
    answer: withoutFilter(),
  },
];

function withoutFilter() {
  const { eventTypes: _eventTypes, description: _description, ...endpoint } = ENDPOINT;
  return endpoint;
}

export const ROTATE_EXAMPLES: readonly CallExample[] = [
  {
    name: 'overlap',
    summary: 'Both sign for two days',
    parameters: ENDPOINT_PATH,
    body: { overlapHours: 48 },
    status: 200,
    answer: {
      ...ENDPOINT,
      signingSecret: NEW_SECRET,
      previousSecretExpiryDateTime: '2026-03-03T12:00:00.000Z',
    },
  },
];

export const RESUME_EXAMPLES: readonly CallExample[] = [
  {
    name: 'resumed',
    summary: 'Resumed',
    parameters: ENDPOINT_PATH,
    body: {},
    status: 200,
    answer: ENDPOINT,
  },
];

const DELIVERY = {
  id: DELIVERY_ID,
  eventId: '018f2c7e-bcd3-7a10-9f21-5e6d7c8b9a01',
  eventType: 'PAYMENT-COMPLETED',
  paymentRequestId: '018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f',
  endpointId: ENDPOINT_ID,
  url: URL,
  status: 'SUCCEEDED',
  attempts: 1,
  nextAttemptDateTime: null,
  createdDateTime: '2026-03-01T12:00:10.003Z',
  completedDateTime: '2026-03-01T12:00:10.073Z',
} as const;

const PENDING = {
  ...withoutCompletion(),
  status: 'PENDING',
  attempts: 0,
  nextAttemptDateTime: '2026-03-01T12:10:00.000Z',
} as const;

function withoutCompletion() {
  const { completedDateTime: _completedDateTime, ...delivery } = DELIVERY;
  return delivery;
}

export const TEST_EXAMPLES: readonly CallExample[] = [
  {
    name: 'test',
    summary: 'On its way',
    parameters: ENDPOINT_PATH,
    body: {},
    status: 202,
    answer: {
      ...PENDING,
      eventType: 'PAYMENT-FAILED',
      test: true,
      paymentRequestId: '00000000-0000-0000-0000-000000000000',
    },
  },
];

export const LIST_DELIVERIES_EXAMPLES: readonly CallExample[] = [
  {
    name: 'one',
    summary: 'One delivery',
    status: 200,
    answer: {
      data: [DELIVERY],
      hasMore: false,
      nextCursor: null,
      links: [{ rel: 'self', href: 'https://api.example.com/v1/webhook-deliveries' }],
    },
  },
];

export const READ_DELIVERY_EXAMPLES: readonly CallExample[] = [
  {
    name: 'succeeded',
    summary: 'Delivered at once',
    parameters: { id: DELIVERY_ID },
    status: 200,
    answer: {
      ...DELIVERY,
      attemptLog: [
        {
          attempt: 1,
          startedDateTime: '2026-03-01T12:00:10.031Z',
          durationMs: 42,
          outcome: 'SUCCEEDED',
          message: 'The listener answered 2xx.',
          httpStatus: 204,
          dnsMs: 3,
          connectMs: 9,
          tlsMs: 14,
          firstByteMs: 41,
        },
      ],
    },
  },
];

export const REDELIVER_EXAMPLES: readonly CallExample[] = [
  {
    name: 'again',
    summary: 'On its way again',
    parameters: { id: DELIVERY_ID },
    body: {},
    status: 202,
    answer: PENDING,
  },
];

const REPLAY = {
  id: '018f2c91-0a1b-7c2d-8e3f-405162738495',
  endpointId: ENDPOINT_ID,
  from: '2026-02-28T00:00:00.000Z',
  to: '2026-03-01T00:00:00.000Z',
  only: 'failed',
  status: 'RUNNING',
  progress: { examinedTo: '2026-02-28T00:00:00.000Z', examined: 0, queued: 0, pending: 0 },
  createdDateTime: '2026-03-01T12:00:00.000Z',
} as const;

export const START_REPLAY_EXAMPLES: readonly CallExample[] = [
  {
    name: 'aDay',
    summary: 'The exhausted deliveries of one day',
    parameters: ENDPOINT_PATH,
    body: { from: '2026-02-28T00:00:00Z', to: '2026-03-01T00:00:00Z', only: 'failed' },
    status: 202,
    answer: REPLAY,
  },
];

export const READ_REPLAY_EXAMPLES: readonly CallExample[] = [
  {
    name: 'completed',
    summary: 'Everything is queued',
    parameters: { ...ENDPOINT_PATH, replayId: REPLAY.id },
    status: 200,
    answer: {
      ...REPLAY,
      status: 'COMPLETED',
      progress: {
        examinedTo: '2026-03-01T00:00:00.000Z',
        examined: 412,
        queued: 3,
        pending: 1,
      },
      completedDateTime: '2026-03-01T12:00:02.000Z',
    },
  },
];

export const READ_EVENTS_EXAMPLES: readonly CallExample[] = [
  {
    name: 'none',
    summary: 'Nothing new',
    status: 200,
    answer: {
      data: [],
      hasMore: false,
      nextCursor: 'eyJ4aWQiOiI3MzEiLCJpZCI6IjQyIn0',
      links: [
        { rel: 'self', href: 'https://api.example.com/v1/events' },
        {
          rel: 'next',
          href: 'https://api.example.com/v1/events?after=eyJ4aWQiOiI3MzEiLCJpZCI6IjQyIn0',
        },
      ],
    },
  },
];
