import { randomBytes } from 'node:crypto';
import { signWebhook } from '#webhooks/https/sign-webhook.ts';
import { type HttpsListener, startHttpsListener } from './https-listener.ts';
import { startWebhookService, type WebhookService } from './webhook-service.ts';

export interface Listener {
  readonly username: string;
  readonly password: string;
  readonly signingSecret: string;
}

export interface RecordedWebhook {
  /** The headers that a listener verifies, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ListenerCase extends RecordedWebhook {
  readonly title: string;
  readonly isGenuine: boolean;
}

export interface Recording {
  readonly listener: Listener;
  /** The new signing secret; the last webhook is signed with both. */
  readonly nextSecret: string;
  readonly webhooks: readonly RecordedWebhook[];
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'authorization'];
/** Far outside the five minutes that a listener tolerates. */
const FAR_SECONDS = 3_600;

/**
 * The webhooks of a real service, signed now: amounts that end in 0, a text that is not ASCII, and
 * the last one under two signatures, as during a rotation of the secret.
 */
export async function recordWebhooks(): Promise<Recording> {
  // A listener compares the timestamp with the time of this machine.
  const service = await startWebhookService({ start: new Date() });
  const receiver = await startHttpsListener({ authority: service.authority });
  try {
    return await recordFrom(service, receiver);
  } finally {
    await receiver.close();
    await service.stop();
  }
}

/** Records the webhooks of a service, whose clock shows the time of this machine. */
export async function recordFrom(
  service: WebhookService,
  receiver: HttpsListener,
): Promise<Recording> {
  const { headers } = await service.createMerchant();

  async function post(path: string, body?: object) {
    const { status, text, json } = await service.call('POST', path, { headers, body });
    if (status >= 300) throw new Error(text);
    return json;
  }

  async function pay(fields: object): Promise<void> {
    const payer = { name: 'depositSubmit:0', email: 'zoe@example.com' };
    await post('/v1/payment-requests', { type: 'ECOMM', payer, ...fields });
    await service.advance(1);
  }

  const endpoint = await post('/v1/webhook-endpoints', { url: receiver.url });
  await pay({ amount: 10, merchantTransactionId: 'order-1042' });
  await pay({ amount: 25.5, displayMessage: 'Crème brûlée “for two” \\ 🍮' });
  await receiver.received(2);
  const { signingSecret: nextSecret } = await post(
    `/v1/webhook-endpoints/${endpoint.id}/rotate-secret`,
  );
  await pay({ amount: 1042.1 });
  const webhooks = (await receiver.received(3)).map(({ headers: all, body }) => ({
    headers: Object.fromEntries(NAMES.map((name) => [name, String(all[name])])),
    body,
  }));
  const { username, password, signingSecret } = endpoint;
  return { listener: { username, password, signingSecret }, nextSecret, webhooks };
}

/** Webhooks that a listener with the first secret must accept, and others that it must refuse. */
export function listenerCases({ listener, webhooks }: Recording): readonly ListenerCase[] {
  const [first] = webhooks;
  if (!first) throw new Error('no webhook was recorded');
  const { headers, body } = first;
  const id = headers['webhook-id'] ?? '';
  const now = Number(headers['webhook-timestamp']);
  const signedAt = (timestamp: number, secret = listener.signingSecret, signed = body) => ({
    ...headers,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook([secret], { id, timestamp, body: signed }),
  });
  const forged = `whsec_${randomBytes(32).toString('base64')}`;
  const genuine = webhooks.map((webhook, index) => ({
    title: `webhook ${index + 1} of the service`,
    isGenuine: true,
    ...webhook,
  }));
  const refused: readonly (readonly [string, Readonly<Record<string, string>>, string?])[] = [
    ['a signature under another secret', signedAt(now, forged)],
    ['a signature of another body', signedAt(now, listener.signingSecret, `${body} `)],
    ['an old timestamp, rightly signed', signedAt(now - FAR_SECONDS)],
    ['a timestamp of the future, rightly signed', signedAt(now + FAR_SECONDS)],
    ['another timestamp than the signed one', { ...headers, 'webhook-timestamp': `${now + 1}` }],
    ['another webhook-id than the signed one', { ...headers, 'webhook-id': crypto.randomUUID() }],
    ['a body that was parsed and written again', headers, JSON.stringify(JSON.parse(body))],
    ['a wrong password', { ...headers, authorization: basic(listener.username, 'wrong') }],
    ...NAMES.map((name) => [`no ${name}`, without(headers, name)] as const),
  ];
  return [
    ...genuine,
    ...refused.map(([title, sent, bytes = body]) => ({
      title,
      isGenuine: false,
      headers: sent,
      body: bytes,
    })),
  ];
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function without(headers: Readonly<Record<string, string>>, name: string) {
  const { [name]: _, ...rest } = headers;
  return rest;
}
