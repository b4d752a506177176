import { InvalidArgumentError } from '../errors/invalid-argument-error.ts';
import { PaymentRequestsError } from '../errors/payment-requests-error.ts';
import type { AnyWebhookEvent, ListenerCredentials, WebhookEvent } from './event.ts';
import { areEqual, basicCredentials, bytes, signWebhook } from './signature.ts';

/** A received webhook: its headers and its body before any parsing. */
export interface IncomingWebhook {
  /** A `Headers`, or an object such as Node's `request.headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | Uint8Array;
}

export type WebhookFault =
  | 'CREDENTIALS_MISSING'
  | 'CREDENTIALS_WRONG'
  | 'SIGNATURE_MISSING'
  | 'SIGNATURE_WRONG'
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  | 'BODY_INVALID';

/** The webhook is forged or incomplete. Answer 401 and release nothing. */
export class WebhookVerificationError extends PaymentRequestsError {
  /** @internal */
  static override readonly errorName: string = 'WebhookVerificationError';
  declare readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string) {
    super(code, message);
  }
}

export interface VerifyOptions {
  /** The largest age, in either direction; default 300, as Standard Webhooks recommends. */
  readonly toleranceSeconds?: number | undefined;
  /** The instant to compare with; default: now. */
  readonly now?: Date | undefined;
}

/** Limits the replay of an old webhook, and still allows two clocks to differ. */
const TOLERANCE_SECONDS = 300;
/** A rotation needs two; the bound keeps a forged header from causing much work. */
const MOST_SIGNATURES = 8;

/**
 * Verifies the Basic credentials and the Standard Webhooks signature of a webhook, and reads it. A
 * repeat carries the id of the first webhook: store the ids of handled events, and answer 2xx to a
 * repeat as well. An endpoint that asks for more event types gets `AnyWebhookEvent`: name it.
 *
 * @throws WebhookVerificationError for a webhook that the service did not send
 * @throws InvalidArgumentError when the body is not text or bytes, because a parsed body cannot be
 *   verified; or when a signing secret has a key shorter than 16 bytes
 * @example
 * const event = await verifyWebhook({ headers: request.headers, body }, credentials);
 * if (event.eventType === 'PAYMENT-COMPLETED') {
 *   console.log('release', event.resource.merchantTransactionId);
 * }
 */
export async function verifyWebhook(
  webhook: IncomingWebhook,
  credentials: ListenerCredentials,
  options?: VerifyOptions,
): Promise<WebhookEvent>;
/**
 * @example
 * const webhook = { headers: request.headers, body };
 * const event = await verifyWebhook<AnyWebhookEvent>(webhook, credentials);
 * console.log(isRefundEvent(event) ? event.resource.paymentRequestId : event.resource.payer.name);
 */
export async function verifyWebhook<Event extends AnyWebhookEvent>(
  webhook: IncomingWebhook,
  credentials: ListenerCredentials,
  options?: VerifyOptions,
): Promise<Event>;
export async function verifyWebhook(
  webhook: IncomingWebhook,
  credentials: ListenerCredentials,
  options?: VerifyOptions,
): Promise<WebhookEvent>;
export async function verifyWebhook(
  webhook: IncomingWebhook,
  credentials: ListenerCredentials,
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<AnyWebhookEvent> {
  if (typeof webhook.body !== 'string' && !(webhook.body instanceof Uint8Array)) {
    throw new InvalidArgumentError(
      'Give the body as it arrived: text or bytes, before any parsing.',
    );
  }
  await verifyCredentials(webhook, credentials);
  const id = header(webhook, 'webhook-id');
  const timestamp = header(webhook, 'webhook-timestamp');
  const signatures = header(webhook, 'webhook-signature');
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError('SIGNATURE_MISSING', 'A webhook header is missing.');
  }
  const body = bytes(webhook.body);
  const secrets = [credentials.signingSecret].flat();
  if (!(await isSigned({ id, timestamp, body }, signatures, secrets))) {
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

async function verifyCredentials(
  webhook: IncomingWebhook,
  { username, password }: ListenerCredentials,
): Promise<void> {
  const authorization = header(webhook, 'authorization');
  if (!authorization) {
    throw new WebhookVerificationError('CREDENTIALS_MISSING', 'There are no Basic credentials.');
  }
  // The scheme's name is case-insensitive (RFC 9110, 11.1).
  const shown = authorization.replace(/^basic +/i, 'Basic ');
  if (!(await areEqual(shown, basicCredentials(username, password)))) {
    throw new WebhookVerificationError('CREDENTIALS_WRONG', 'The Basic credentials are wrong.');
  }
}

async function isSigned(
  message: Parameters<typeof signWebhook>[1],
  signatures: string,
  secrets: readonly string[],
): Promise<boolean> {
  const given = signatures.split(' ').slice(0, MOST_SIGNATURES);
  for (const secret of secrets) {
    const wanted = await signWebhook(secret, message);
    for (const signature of given) if (await areEqual(signature, wanted)) return true;
  }
  return false;
}

function readEvent(body: Uint8Array, id: string): AnyWebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (event.id === id && typeof event.resource?.status === 'string') return event;
  } catch {
    // The error below covers invalid JSON and JSON that is not an event.
  }
  throw new WebhookVerificationError('BODY_INVALID', 'The body is not a webhook event.');
}

function header({ headers }: IncomingWebhook, name: string): string | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined;
  const record = headers as Exclude<IncomingWebhook['headers'], Headers>;
  const value =
    record[name] ?? record[Object.keys(record).find((key) => key.toLowerCase() === name) ?? ''];
  return typeof value === 'string' ? value : value?.[0];
}
