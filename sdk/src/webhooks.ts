/** What a merchant's listener knows of the service (credentials.json, `listener`). */
export interface ListenerCredentials {
  readonly username: string;
  readonly password: string;
  /** `whsec_…`; during a rotation, both. */
  readonly signingSecret: string | readonly string[];
}

/** A webhook as it arrived: the headers by lower-case name, the body's very bytes. */
export interface IncomingWebhook {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | Uint8Array;
}

export interface WebhookEvent {
  readonly eventType: 'PAYMENT-COMPLETED' | 'PAYMENT-FAILED';
  readonly message: string;
  readonly resourceType: string;
  /** The payment request as reading answers it at that status. */
  readonly resource: Readonly<Record<string, unknown>> & {
    readonly id: string;
    readonly status: string;
  };
  /** The event's identifier: equal in every attempt, so that a repeat can be told. */
  readonly id: string;
  readonly createdDateTime: string;
  /** Counts the events of one payment request, from 1. */
  readonly sequence: number;
}

export type WebhookFault =
  | 'CREDENTIALS_MISSING'
  | 'CREDENTIALS_WRONG'
  | 'SIGNATURE_MISSING'
  | 'SIGNATURE_WRONG'
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  | 'BODY_INVALID';

/** A webhook that is not the service's, or not whole. Answer it with 401 and ship nothing. */
export class WebhookVerificationError extends Error {
  readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}

export interface VerifyOptions {
  /** How old or early a webhook may be; Standard Webhooks recommends five minutes. */
  readonly toleranceSeconds?: number;
  readonly now?: Date;
}

/** Against a replay of an old webhook; wide enough for two clocks that differ. */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies that a webhook comes from the service, by its Basic credentials and its Standard
 * Webhooks signature, and reads it.
 *
 * @throws WebhookVerificationError for everything that is not to be believed.
 * @example
 * const event = await verifyWebhook({ headers: request.headers, body }, credentials);
 * if (event.resource.status === 'PAID') await release(event.resource.id);
 */
export async function verifyWebhook(
  webhook: IncomingWebhook,
  credentials: ListenerCredentials,
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  await verifyCredentials(webhook, credentials);
  const id = header(webhook, 'webhook-id');
  const timestamp = header(webhook, 'webhook-timestamp');
  const signatures = header(webhook, 'webhook-signature');
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError('SIGNATURE_MISSING', 'A webhook header is missing.');
  }
  const body = bytes(webhook.body);
  const signed = concat(bytes(`${id}.${timestamp}.`), body);
  if (!(await isSigned(signed, signatures, [credentials.signingSecret].flat()))) {
    throw new WebhookVerificationError('SIGNATURE_WRONG', 'No signature fits the body.');
  }
  const ageSeconds = now.getTime() / 1000 - Number(timestamp);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      'TIMESTAMP_OUT_OF_TOLERANCE',
      'The webhook was signed too long ago, or for a time to come.',
    );
  }
  return readEvent(body, id);
}

async function verifyCredentials(webhook: IncomingWebhook, expected: ListenerCredentials) {
  const authorization = header(webhook, 'authorization');
  if (!authorization) {
    throw new WebhookVerificationError('CREDENTIALS_MISSING', 'There are no Basic credentials.');
  }
  const wanted = `Basic ${base64(bytes(`${expected.username}:${expected.password}`))}`;
  if (!(await areEqual(bytes(authorization), bytes(wanted)))) {
    throw new WebhookVerificationError('CREDENTIALS_WRONG', 'The Basic credentials are wrong.');
  }
}

async function isSigned(signed: Uint8Array<ArrayBuffer>, signatures: string, secrets: string[]) {
  const given = signatures.split(' ').filter((signature) => signature.startsWith('v1,'));
  for (const secret of secrets) {
    const key = await importKey(unbase64(secret.replace(/^whsec_/, '')));
    const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
    const wanted = bytes(`v1,${base64(mac)}`);
    for (const signature of given) if (await areEqual(bytes(signature), wanted)) return true;
  }
  return false;
}

function readEvent(body: Uint8Array, id: string): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (event.id === id && typeof event.resource?.status === 'string') return event;
  } catch {
    // Told below, like a body that is JSON and no event.
  }
  throw new WebhookVerificationError('BODY_INVALID', 'The body is not a webhook event.');
}

function header({ headers }: IncomingWebhook, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Compares under a key of the moment, so that the time taken tells nothing of the content. */
async function areEqual(one: Uint8Array<ArrayBuffer>, other: Uint8Array<ArrayBuffer>) {
  const key = await importKey(crypto.getRandomValues(new Uint8Array(32)));
  const [a, b] = await Promise.all([
    crypto.subtle.sign('HMAC', key, one),
    crypto.subtle.sign('HMAC', key, other),
  ]);
  const left = new Uint8Array(a);
  return new Uint8Array(b).every((byte, at) => byte === left[at]);
}

function importKey(raw: Uint8Array<ArrayBuffer>) {
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

function bytes(value: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof value === 'string' ? new TextEncoder().encode(value) : Uint8Array.from(value);
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(one.length + other.length);
  joined.set(one);
  joined.set(other, one.length);
  return joined;
}

function base64(value: Uint8Array): string {
  return btoa(String.fromCharCode(...value));
}

function unbase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
