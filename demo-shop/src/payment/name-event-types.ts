import { setTimeout as sleep } from 'node:timers/promises';
import { type AnyWebhookEventType, type Client, PaymentRequestsError } from '@payment-requests/sdk';

/** The events that the shop handles; without a list an endpoint gets the first two only. */
export const EVENT_TYPES = [
  'PAYMENT-COMPLETED',
  'PAYMENT-FAILED',
  'PAYMENT-RETURNED',
  'REFUND-COMPLETED',
  'REFUND-FAILED',
] as const satisfies readonly AnyWebhookEventType[];

/** The service starts beside the shop and needs seconds; after two minutes it does not come. */
const MOST_ATTEMPTS = 60;
const PAUSE_MS = 2_000;

/**
 * Names the events that the shop's endpoint gets, unless the endpoint names them already. The
 * operator made the endpoint when the merchant was onboarded.
 */
export async function nameEventTypes(
  client: Client,
  webhookUrl: string,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS && !signal.aborted; attempt++) {
    try {
      await nameNow(client, webhookUrl, signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof PaymentRequestsError)) throw error;
      console.error(`The webhook endpoint cannot be read: ${error.message}`);
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}

async function nameNow(client: Client, webhookUrl: string, signal: AbortSignal): Promise<void> {
  for await (const { id, url, eventTypes } of client.listWebhookEndpoints({ signal })) {
    if (url !== webhookUrl || eventTypes?.includes('*')) continue;
    if (EVENT_TYPES.every((type) => eventTypes?.includes(type))) continue;
    await client.updateWebhookEndpoint(id, { eventTypes: EVENT_TYPES }, { signal });
  }
}
