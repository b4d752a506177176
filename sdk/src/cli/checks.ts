import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { sealWebhook, writeResource } from '../webhooks/make-test-webhook.ts';
import { newSigningSecret } from '../webhooks/signature.ts';
import {
  type ListenerSecrets,
  nowSeconds,
  type PostedWebhook,
  type PostWebhook,
  webhookHeaders,
} from './post-webhook.ts';

/** Twelve times what a listener may tolerate (Standard Webhooks: five minutes). */
const FAR_SECONDS = 3_600;
/** A body that comes in pieces, as over a bad line: 0.4 s, within the shortest time-out. */
const PIECES = 8;
const PAUSE_BETWEEN_PIECES_MS = 50;
const DUPLICATES_AT_ONCE = 5;
const MESSAGE = 'This is a test. No payment took place.';
/** A payment request that does not exist, so that no shop may ship on it (delivery §3). */
const RESOURCE = {
  id: '00000000-0000-0000-0000-000000000000',
  merchant: { id: 'mer_00000000000000000000', name: 'Demo Shop' },
  displayMessage: 'A test – one café au lait',
  statusReason: { code: 'PAYER_DECLINED', message: MESSAGE },
} as const;

export interface ListenerUnderTest {
  readonly post: PostWebhook;
  readonly secrets: ListenerSecrets;
}

export interface ListenerCheck {
  readonly name: string;
  /** The required act of a listener: accept the webhook (2xx), or refuse it (4xx). */
  readonly expected: 'TAKEN' | 'REFUSED';
  /** Why, for whoever has to repair it. */
  readonly because: string;
  /** Sends what the check is about; every answer is judged. */
  readonly run: (listener: ListenerUnderTest) => Promise<readonly PostedWebhook[]>;
}

interface TestEvent {
  readonly id: string;
  readonly body: string;
}

const FIRST_ADVICE =
  'This is how every webhook looks. Compare the URL, the credentials and the signing secret that ' +
  'the listener expects with those given here.';

/** Everything that verify-listener sends, in this order. */
export const LISTENER_CHECKS: readonly ListenerCheck[] = [
  taken('a webhook', FIRST_ADVICE, async ({ post, secrets }) => {
    const event = await testEvent();
    return [await post(await webhookHeaders(secrets, event), event.body)];
  }),
  taken(
    'the same webhook again',
    'Delivery is at least once: answer 2xx to a webhook-id that you know, and do nothing.',
    async ({ post, secrets }) => {
      const event = await testEvent();
      const send = async () => post(await webhookHeaders(secrets, event), event.body);
      return [await send(), await send()];
    },
  ),
  taken(
    'the same webhook five times at once',
    'Two deliveries can overlap: one of them must win without an error.',
    async ({ post, secrets }) => {
      const event = await testEvent();
      const send = async () => post(await webhookHeaders(secrets, event), event.body);
      return Promise.all(Array.from({ length: DUPLICATES_AT_ONCE }, send));
    },
  ),
  taken(
    'events in the wrong order',
    'After a replay an older event comes later: go by the status that you read, not by the order.',
    async ({ post, secrets }) => {
      const [first, second] = [await testEvent({ sequence: 1 }), await testEvent({ sequence: 2 })];
      const send = async (event: TestEvent) =>
        post(await webhookHeaders(secrets, event), event.body);
      return [await send(second), await send(first)];
    },
  ),
  taken(
    'a body that comes slowly',
    'Read the whole body before you verify it.',
    async ({ post, secrets }) => {
      const event = await testEvent();
      const length = String(Buffer.byteLength(event.body));
      const headers = { ...(await webhookHeaders(secrets, event)), 'content-length': length };
      return [await post(headers, Readable.from(inPieces(event.body)))];
    },
  ),
  taken(
    'members that are not known',
    'New members may be added: ignore what you do not know.',
    async ({ post, secrets }) => {
      const event = await testEvent({ extra: { laterMember: { some: 'thing' } } });
      return [await post(await webhookHeaders(secrets, event), event.body)];
    },
  ),
  taken(
    'two signatures, one of them right',
    'While a secret is changed both sign: take the webhook if one signature is right.',
    async ({ post, secrets }) => {
      const event = await testEvent();
      const headers = await webhookHeaders(secrets, event);
      const other = await webhookHeaders({ ...secrets, signingSecret: newSigningSecret() }, event);
      const both = `${other['webhook-signature']} ${headers['webhook-signature']}`;
      return [await post({ ...headers, 'webhook-signature': both }, event.body)];
    },
  ),
  refused(
    'a wrong signature',
    'A listener that accepts this trusts any caller who knows the address.',
    (secrets, event) => webhookHeaders({ ...secrets, signingSecret: newSigningSecret() }, event),
  ),
  refused('no signature', 'A missing signature is a wrong one.', (secrets, event) =>
    without(webhookHeaders(secrets, event), 'webhook-signature'),
  ),
  refused('no webhook-id', 'It is part of what is signed.', (secrets, event) =>
    without(webhookHeaders(secrets, event), 'webhook-id'),
  ),
  refused('no webhook-timestamp', 'It is part of what is signed.', (secrets, event) =>
    without(webhookHeaders(secrets, event), 'webhook-timestamp'),
  ),
  refused(
    'a signature of another body',
    'Verify the bytes that came: the signature is over the whole body.',
    async (secrets, event) =>
      webhookHeaders(secrets, { id: event.id, body: (await testEvent()).body }),
  ),
  refused(
    'a signature of another webhook-id',
    'The id is part of what is signed.',
    async (s, event) => ({
      ...(await webhookHeaders(s, event)),
      'webhook-id': randomUUID(),
    }),
  ),
  refused(
    'an old timestamp, rightly signed',
    'Else whoever records a webhook can send it for ever: five minutes are enough.',
    (secrets, event) =>
      webhookHeaders(secrets, { ...event, timestamp: nowSeconds() - FAR_SECONDS }),
  ),
  refused('a timestamp of the future', 'See the check of an old timestamp.', (secrets, event) =>
    webhookHeaders(secrets, { ...event, timestamp: nowSeconds() + FAR_SECONDS }),
  ),
  refused('a wrong password', 'The Basic credentials must be right, too.', (secrets, event) =>
    webhookHeaders({ ...secrets, password: `${secrets.password}x` }, event),
  ),
  refused('no Authorization', 'The Basic credentials must be right, too.', (secrets, event) =>
    without(webhookHeaders(secrets, event), 'authorization'),
  ),
];

function taken(name: string, because: string, run: ListenerCheck['run']): ListenerCheck {
  return { name, because, run, expected: 'TAKEN' };
}

function refused(
  name: string,
  because: string,
  headersOf: (secrets: ListenerSecrets, event: TestEvent) => Promise<Record<string, string>>,
): ListenerCheck {
  const run: ListenerCheck['run'] = async ({ post, secrets }) => {
    const event = await testEvent();
    return [await post(await headersOf(secrets, event), event.body)];
  };
  return { name, because, run, expected: 'REFUSED' };
}

async function without(headers: Promise<Record<string, string>>, name: string) {
  const { [name]: _, ...rest } = await headers;
  return rest;
}

/** An event of a failed payment request, which is marked as a test. */
async function testEvent({ sequence = 1, extra = {} } = {}): Promise<TestEvent> {
  const [id, now] = [randomUUID(), new Date()];
  const head = {
    eventType: 'PAYMENT-FAILED',
    message: MESSAGE,
    resourceType: 'Payment Requests API',
  };
  const resource = writeResource(RESOURCE, 'FAILED', now);
  const unsigned = { username: '', password: '', signingSecret: [] };
  const sealed = await sealWebhook(head, resource, unsigned, { id, sequence, now });
  const body = `${sealed.body.slice(0, -1)},${JSON.stringify({ test: true, ...extra }).slice(1)}`;
  return { id, body };
}

/**
 * Posts an event whose body stays equal when it is parsed and written again, rightly signed: the
 * only body that a listener takes which verifies a rewritten copy.
 */
export async function postRewritten({ post, secrets }: ListenerUnderTest): Promise<PostedWebhook> {
  const { id, body } = await testEvent();
  const rewritten = JSON.stringify(JSON.parse(body));
  return post(await webhookHeaders(secrets, { id, body: rewritten }), rewritten);
}

async function* inPieces(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  const length = Math.ceil(bytes.length / PIECES);
  for (let at = 0; at < bytes.length; at += length) {
    if (at > 0) await wait(PAUSE_BETWEEN_PIECES_MS);
    yield bytes.subarray(at, at + length);
  }
}
