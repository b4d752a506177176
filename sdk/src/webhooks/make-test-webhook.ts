import { type Amount, amountToCents, centsToAmount } from '../amounts.ts';
import type {
  OneOf,
  PaymentRequestMembers,
  PaymentRequestStatus,
  StatusReason,
} from '../payment-request.ts';
import type {
  AnyWebhookEvent,
  ListenerCredentials,
  MessageUndeliveredEvent,
  PaymentEvent,
  PaymentReturnedEvent,
  WebhookEvent,
} from './event.ts';
import { basicCredentials, bytes, signWebhook } from './signature.ts';

/** Any of the members; a missing or undefined member gets a default. */
export type Given<Members> = { readonly [Name in keyof Members]?: Members[Name] | undefined };

/** The payment request of the test webhook; missing fields get a default. */
export type TestWebhookResource = Given<Omit<PaymentRequestMembers, 'amount' | 'status'>> & {
  readonly amount?: Amount | undefined;
  /** Any text, so that a test can send a status of a later version too. */
  readonly status?: OneOf<PaymentRequestStatus> | undefined;
};

export interface TestWebhookOptions {
  /** The event's id; give an equal id twice to make a repeat. */
  readonly id?: string | undefined;
  /** The number of the event within its payment request; default 1. */
  readonly sequence?: number | undefined;
  /** The instant of the signature. */
  readonly now?: Date | undefined;
  /** Default: PAYMENT-COMPLETED for PAID, else PAYMENT-FAILED. */
  readonly eventType?: PaymentEvent['eventType'] | undefined;
}

export interface TestWebhook<Event extends AnyWebhookEvent = WebhookEvent> {
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The parsed body. */
  readonly event: Event;
}

const DAY_MS = 86_400_000;

/** The reason of each unpaid status, with the service's own sentence. */
const REASONS: Readonly<Record<string, StatusReason>> = {
  FAILED: { code: 'PAYER_DECLINED', message: 'The payer declined the payment request.' },
  EXPIRED: { code: 'LINK_EXPIRED', message: 'The payment request expired before it was paid.' },
  CANCELLED: {
    code: 'CANCELLED_BY_MERCHANT',
    message: 'The merchant cancelled the payment request.',
  },
};

/**
 * Makes a webhook in the form of the service's webhooks, for the tests of your listener: signed and
 * with Basic credentials. The default status is PAID, the default amount 10.00.
 *
 * The body does not survive `JSON.parse` and `JSON.stringify` byte for byte: the amount has two
 * decimals, and slashes and letters beyond ASCII are escaped. A listener that verifies a copy that
 * it wrote again refuses this webhook, and would refuse real payments.
 *
 * @example
 * const webhook = await makeTestWebhook(
 *   { status: 'PAID', amount: '25.50', merchantTransactionId: 'order-1042' },
 *   credentials,
 * );
 * const event = await verifyWebhook(webhook, credentials);
 * console.log(event.eventType === 'PAYMENT-COMPLETED');
 */
export async function makeTestWebhook(
  resource: TestWebhookResource,
  credentials: ListenerCredentials,
  options: TestWebhookOptions & { readonly eventType: 'PAYMENT-RETURNED' },
): Promise<TestWebhook<PaymentReturnedEvent>>;
export async function makeTestWebhook(
  resource: TestWebhookResource,
  credentials: ListenerCredentials,
  options: TestWebhookOptions & { readonly eventType: 'MESSAGE-UNDELIVERED' },
): Promise<TestWebhook<MessageUndeliveredEvent>>;
export async function makeTestWebhook(
  resource: TestWebhookResource,
  credentials: ListenerCredentials,
  options?: TestWebhookOptions,
): Promise<TestWebhook>;
export async function makeTestWebhook(
  resource: TestWebhookResource,
  credentials: ListenerCredentials,
  { id = crypto.randomUUID(), sequence = 1, now = new Date(), eventType }: TestWebhookOptions = {},
): Promise<TestWebhook<AnyWebhookEvent>> {
  const { status = 'PAID' } = resource;
  const isPaid = status === 'PAID';
  const reason = resource.statusReason ?? REASONS[status];
  const head = {
    eventType: eventType ?? (isPaid ? 'PAYMENT-COMPLETED' : 'PAYMENT-FAILED'),
    message: reason?.message ?? (isPaid ? 'The payer completed the transaction.' : 'Not paid.'),
    resourceType: 'Payment Requests API',
  };
  const text = writeResource({ ...resource, ...(reason && { statusReason: reason }) }, status, now);
  return sealWebhook(head, text, credentials, { id, sequence, now });
}

interface EventFacts {
  readonly id: string;
  readonly sequence: number;
  readonly now: Date;
  /** Default: `now`. */
  readonly signedAt?: Date;
}

/** Writes the body and signs it. Slashes and letters beyond ASCII are escaped. */
export async function sealWebhook<Event extends AnyWebhookEvent>(
  head: object,
  resource: string,
  { username, password, signingSecret }: ListenerCredentials,
  { id, sequence, now, signedAt = now }: EventFacts,
): Promise<TestWebhook<Event>> {
  const tail = { id, createdDateTime: now.toISOString(), sequence };
  const [start, end] = [JSON.stringify(head).slice(0, -1), JSON.stringify(tail).slice(1)];
  const body = `${start},"resource":${resource},${end}`.replace(/[/\u007f-\uffff]/g, (character) =>
    character === '/' ? '\\/' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const timestamp = String(Math.floor(signedAt.getTime() / 1000));
  const message = { id, timestamp, body: bytes(body) };
  const secrets = [signingSecret].flat();
  const signatures = await Promise.all(secrets.map((secret) => signWebhook(secret, message)));
  const headers = {
    'content-type': 'application/json',
    authorization: basicCredentials(username, password),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
  return { method: 'POST', headers, body, event: JSON.parse(body) };
}

/** Writes the whole payment request; the amount keeps its own digits. */
export function writeResource(
  { amount = '10.00', ...given }: TestWebhookResource,
  status: string,
  now: Date,
): string {
  const id = given.id ?? crypto.randomUUID();
  const shortCode = given.shortCode ?? 'TESTtestTESTtest';
  const at = now.toISOString();
  const received = Number(centsToAmount(amountToCents(amount)));
  const members = {
    id,
    currency: 'CAD',
    type: 'ECOMM',
    payer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    invoiceNumber: '1042',
    merchant: { id: '018f2c7e-bcd3-7a10-9f21-5e6d7c8b9a00', name: 'Demo Shop' },
    createdDateTime: at,
    dueDate: at.slice(0, 10),
    expiryDateTime: new Date(now.getTime() + DAY_MS).toISOString(),
    shortCode,
    paymentLink: `https://pay.example.com/pay/${shortCode}`,
    qrCodeLink: `https://pay.example.com/pay/qr/${shortCode}`,
    events: [
      { status: 'CREATED', dateTime: at },
      { status, dateTime: at },
    ],
    links: [{ rel: 'self', href: `https://pay.example.com/v1/payment-requests/${id}` }],
    ...(status === 'PAID' && {
      payment: {
        institution: 'Test Bank',
        networkReference: 'TEST',
        completedDateTime: at,
        amountReceived: received,
      },
      refundSummary: {
        status: 'NONE',
        amountReceived: received,
        amountReturned: 0,
        amountRefunded: 0,
        amountAvailable: received,
      },
    }),
    ...withoutUndefined(given),
    status,
  };
  const text = JSON.stringify(members);
  return `{"amount":${centsToAmount(amountToCents(amount))},${text.slice(1)}`;
}

/** An undefined member has the default, as a missing member has it. */
export function withoutUndefined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
