// Compiled by `npm run typecheck`, never run: code for the SDK before refunds compiles unchanged.
import {
  type Client,
  type EventFeed,
  type EventPage,
  type FeedOptions,
  type ListenerCredentials,
  makeTestWebhook,
  type TestWebhook,
  type TestWebhookOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventType,
} from '@payment-requests/sdk';

type Incoming = Parameters<typeof verifyWebhook>[0];
type Verified = Awaited<ReturnType<typeof verifyWebhook>>;

/** Reads members that only a payment request has, without a look at the type. */
export async function receive(webhook: Incoming, credentials: ListenerCredentials) {
  const event = await verifyWebhook(webhook, credentials, { toleranceSeconds: 60 });
  const reference: string | undefined = event.resource.merchantTransactionId;
  const kind: 'Payment Requests API' = event.resourceType;
  return [event.resource.payer.name, event.resource.paymentLink, reference, kind];
}

/** Has no branch for another type. */
export function wordsOf(event: Verified): string {
  switch (event.eventType) {
    case 'PAYMENT-COMPLETED':
      return event.resource.payment.institution;
    case 'PAYMENT-FAILED':
      return event.resource.statusReason.message;
  }
}

export const WORDS: Readonly<Record<WebhookEventType, string>> = {
  'PAYMENT-COMPLETED': 'paid',
  'PAYMENT-FAILED': 'not paid',
};

export async function follow(client: Client, options: FeedOptions): Promise<void> {
  const feed: EventFeed = client.readEvents(options);
  for await (const event of feed) save(event);
  for await (const page of client.readEvents({ after: 'latest', waitSeconds: 30 }).pages()) {
    savePage(page);
    for (const { resource } of page.items) resource.payer.email?.trim();
  }
  for await (const { eventType, resource } of client.readEvents()) {
    WORDS[eventType].concat(resource.shortCode);
  }
}

export async function tryListener(
  credentials: ListenerCredentials,
  options: TestWebhookOptions,
): Promise<TestWebhook> {
  const { event } = await makeTestWebhook({ status: 'EXPIRED' }, credentials);
  save(event);
  event.resource.payer.name.trim();
  return makeTestWebhook({}, credentials, options);
}

function save(event: WebhookEvent): void {
  event.resource.payer.name.trim();
}

function savePage({ items, nextCursor }: EventPage): void {
  for (const item of items) wordsOf(item).concat(nextCursor);
}
