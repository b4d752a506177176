import type {
  PaymentActions,
  ProviderWebhookPayload,
  WebhookActionResult,
} from '@medusajs/framework/types';
import {
  type AnyWebhookEvent,
  isRefundEvent,
  type ListenerCredentials,
  verifyWebhook,
} from '@payment-requests/sdk';
import { standingOf } from './statuses.ts';

/** Medusa passes the result of a provider on as it is: the route finds the event in it. */
export type ReadWebhook = WebhookActionResult & {
  readonly data: { readonly session_id: string; readonly amount: number };
  readonly event: AnyWebhookEvent;
};

/**
 * Verifies a webhook of the service, and says in Medusa's words what it asks for. A test of the
 * endpoint and events that change no session ask for nothing (`not_supported`).
 *
 * @throws WebhookVerificationError for a webhook that the service did not send
 */
export async function readWebhook(
  { rawData, headers }: ProviderWebhookPayload['payload'],
  listener: ListenerCredentials,
): Promise<ReadWebhook> {
  const incoming = { headers: headers as Record<string, string>, body: rawData };
  const event = await verifyWebhook<AnyWebhookEvent>(incoming, listener);
  const { resource } = event;
  const session_id =
    'merchantTransactionId' in resource ? (resource.merchantTransactionId ?? '') : '';
  return { action: actionOf(event), data: { session_id, amount: resource.amount }, event };
}

function actionOf(event: AnyWebhookEvent): PaymentActions {
  if (event.test || isRefundEvent(event)) return 'not_supported';
  const isOutcome = event.eventType === 'PAYMENT-COMPLETED' || event.eventType === 'PAYMENT-FAILED';
  return isOutcome ? standingOf(event.resource.status).action : 'not_supported';
}
