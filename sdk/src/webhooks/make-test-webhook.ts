import { type Amount, amountToCents } from '../amounts.ts';
import type { PaymentRequest } from '../payment-request.ts';
import type { ListenerCredentials, WebhookEvent } from './event.ts';
import { basicCredentials, bytes, signWebhook } from './signature.ts';

/** The payment request of the test webhook; missing fields get a default. */
export type TestWebhookResource = Partial<Omit<PaymentRequest, 'amount'>> & {
  readonly amount?: Amount;
};

export interface TestWebhookOptions {
  /** The event's id; give an equal id twice to make a repeat. */
  readonly id?: string;
  readonly sequence?: number;
  /** The instant of the signature. */
  readonly now?: Date;
}

export interface TestWebhook {
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The parsed body. */
  readonly event: WebhookEvent;
}

const DAY_MS = 86_400_000;

/**
 * Makes a webhook in the form of the service's webhooks, for the tests of your listener: signed and
 * with Basic credentials. The default status is PAID.
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
  { username, password, signingSecret }: ListenerCredentials,
  { id = crypto.randomUUID(), sequence = 1, now = new Date() }: TestWebhookOptions = {},
): Promise<TestWebhook> {
  const paymentRequest = fillIn(resource, now);
  const isPaid = paymentRequest.status === 'PAID';
  const event: WebhookEvent = {
    eventType: isPaid ? 'PAYMENT-COMPLETED' : 'PAYMENT-FAILED',
    message: isPaid ? 'The payer completed the transaction.' : 'The payment did not succeed.',
    resourceType: 'Payment Requests API',
    resource: paymentRequest,
    id,
    createdDateTime: now.toISOString(),
    sequence,
  };
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(now.getTime() / 1000));
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
  return { method: 'POST', headers, body, event };
}

function fillIn({ amount = '10.00', ...resource }: TestWebhookResource, now: Date): PaymentRequest {
  const id = resource.id ?? crypto.randomUUID();
  const shortCode = 'TESTtestTESTtest';
  const at = now.toISOString();
  const status = resource.status ?? 'PAID';
  return {
    id,
    amount: amountToCents(amount) / 100,
    type: 'ECOMM',
    payer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    merchant: { id: 'test-merchant', name: 'Test Merchant' },
    createdDateTime: at,
    expiryDateTime: new Date(now.getTime() + DAY_MS).toISOString(),
    shortCode,
    paymentLink: `https://pay.example.com/pay/${shortCode}`,
    qrCodeLink: `https://pay.example.com/pay/qr/${shortCode}`,
    events: [
      { status: 'CREATED', dateTime: at },
      { status, dateTime: at },
    ],
    links: [{ rel: 'payment-request', href: `https://pay.example.com/v1/payment-requests/${id}` }],
    ...(status === 'PAID' && {
      payment: { institution: 'Test Bank', networkReference: 'TEST', completedDateTime: at },
    }),
    ...resource,
    status,
  };
}
