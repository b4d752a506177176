import assert from 'node:assert/strict';
import {
  type AnyWebhookEvent,
  type Client,
  createClient,
  type ListenerCredentials,
  verifyWebhook,
} from '@payment-requests/sdk';
import { createTestService } from '@payment-requests/sdk/testing';
import { eventually } from '../eventually.ts';
import { untilOlderTransactionsEnd } from '../until-older-transactions-end.ts';
import { startHttpsListener } from '../webhooks/https-listener.ts';
import { startWebhookService } from '../webhooks/webhook-service.ts';

/** The service, or the one of tests in its place: what a contract test may use of both. */
export interface Subject {
  readonly client: Client;
  /** Calls with the credentials of the client. */
  call(method: string, path: string, body?: unknown, headers?: object): Promise<CallAnswer>;
  /** Moves the clock and does what falls due. */
  advance(seconds: number): Promise<void>;
  /** Waits until a condition holds, which work that was due brings. */
  until(isTrue: () => boolean | Promise<boolean>): Promise<void>;
  /** Every event so far, oldest first. */
  events(): Promise<readonly AnyWebhookEvent[]>;
  /** Whether no webhook is due. */
  isQuiet(): Promise<boolean>;
  /** The statuses that the listener answers next; 204 after them. */
  answerNext(...statuses: number[]): void;
  /** What the listener got: type, attempt, and whether the signature was right. */
  readonly received: readonly Received[];
  stop(): Promise<void>;
}

export interface CallAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds
  readonly json: any;
}

export interface Received {
  readonly eventType: string;
  /** The id of the payment request or refund. */
  readonly resourceId: string;
  readonly isSigned: boolean;
}

/** Both clocks begin here, so that answers have equal instants. */
const START = new Date('2026-03-01T12:00:00.000Z');

interface Incoming {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** The listener of a subject: notes what comes, and has the answers that a test wants. */
function createListener(credentials: ListenerCredentials) {
  const received: Received[] = [];
  const answers: number[] = [];
  return {
    received,
    answers,
    async note({ headers, body }: Incoming) {
      const wide = { toleranceSeconds: Number.MAX_SAFE_INTEGER };
      const isSigned = await verifyWebhook({ headers, body }, credentials, wide).then(
        () => true,
        () => false,
      );
      const { eventType, resource } = JSON.parse(body);
      received.push({ eventType, resourceId: resource.id, isSigned });
    },
  };
}

async function tokenOf(fetch: typeof globalThis.fetch, { authUrl, username, password }: Access) {
  const answer = await fetch(authUrl, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${username}:${password}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials&scope=payment_request%2Fall',
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

type Access = Readonly<Record<'authUrl' | 'username' | 'password' | 'apiKey', string>>;

/** Makes calls by hand, so that bodies can be wrong. */
async function createCall(
  fetch: typeof globalThis.fetch,
  access: Access,
): Promise<Subject['call']> {
  let token = await tokenOf(fetch, access);
  const origin = new URL(access.authUrl).origin;
  return async function call(method, path, body, headers): Promise<CallAnswer> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await fetch(`${origin}/v1${path}`, {
      method,
      headers: {
        'x-api-key': access.apiKey,
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status === 401 && !JSON.stringify(body ?? '').includes('createError')) {
      token = await tokenOf(fetch, access);
      return call(method, path, body, headers);
    }
    return { status: answer.status, headers: answer.headers, json: text && JSON.parse(text) };
  };
}

/** The service itself, with a database and a listener over HTTPS. */
export async function startRealSubject(): Promise<Subject> {
  const settings = { RATE_LIMIT_WRITES: '0', RATE_LIMIT_READS: '0', RATE_LIMIT_TOKENS: '0' };
  const service = await startWebhookService({ start: START, settings });
  const https = await startHttpsListener({ authority: service.authority });
  const { username, password, apiKey } = await service.createMerchant({ name: 'Test Shop' });
  const authUrl = `${service.url}/oauth2/token`;
  const access = { authUrl, username, password, apiKey };
  const client = createClient({ ...access, baseUrl: `${service.url}/v1`, maxRetries: 0 });
  const made = await client.createWebhookEndpoint({ url: https.url, eventTypes: ['*'] });
  const { signingSecret } = made;
  const listener = createListener({
    ...{ username: made.username, password: made.password ?? '', signingSecret },
  });
  https.answerWith(async (request, response) => {
    await listener.note(request);
    response.writeHead(listener.answers.shift() ?? 204).end();
  });
  return {
    ...{ client, received: listener.received, call: await createCall(fetch, access) },
    answerNext: (...statuses) => void listener.answers.push(...statuses),
    advance: (seconds) => service.advance(seconds),
    async until(isTrue) {
      await eventually(isTrue);
    },
    async isQuiet() {
      for await (const _ of client.listWebhookDeliveries({ status: 'PENDING' })) return false;
      return true;
    },
    async events() {
      await untilOlderTransactionsEnd(service.database);
      const events: AnyWebhookEvent[] = [];
      for await (const event of client.readEvents({ eventTypes: ['*'] })) events.push(event);
      return events;
    },
    async stop() {
      await https.close();
      await service.stop();
    },
  };
}

/** The service of tests, in this process. */
export async function startTestSubject(): Promise<Subject> {
  const signingSecret = `whsec_${btoa('x'.repeat(32))}`;
  const listenerCredentials = { username: 'listener', password: 'password', signingSecret };
  const listener = createListener(listenerCredentials);
  const service = createTestService({
    ...{ startsAt: START, eventTypes: ['*'], listenerCredentials },
    async listener(webhook) {
      await listener.note(webhook);
      return listener.answers.shift() ?? 204;
    },
  });
  const { fetch } = service.options;
  return {
    client: createClient({ ...service.options, maxRetries: 0 }),
    ...{ received: listener.received, call: await createCall(fetch, service.options) },
    answerNext: (...statuses) => void listener.answers.push(...statuses),
    advance: (seconds) => service.advance(seconds),
    async until(isTrue) {
      await service.advance();
      assert.ok(await isTrue());
    },
    isQuiet: async () => true,
    async events() {
      await service.advance();
      return [...new Map(service.webhooks.map(({ event }) => [event.id, event])).values()];
    },
    async stop() {},
  };
}
