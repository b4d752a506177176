import type { FieldFault } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import type { WebhookUrlField } from './payment-request.ts';

export interface ValidateWebhookUrlDeps {
  /** The reason why a webhook URL cannot be called, as a sentence; null if it can be called. */
  readonly webhookUrlFault: (url: string) => Promise<string | null>;
  /** Production: a webhookUrl must lie at an origin that the merchant registered (contract §4). */
  readonly areWebhookOriginsRegistered: boolean;
}

/**
 * Finds the faults of a webhook URL when a call gives the URL: a bad URL is answered 400 instead of
 * losing webhooks silently (contract §4). `webhookUrlFaults` resolves names, so never call it in a
 * transaction.
 */
export async function webhookUrlFaults(
  { webhookUrlFault, areWebhookOriginsRegistered }: ValidateWebhookUrlDeps,
  merchant: Merchant,
  field: WebhookUrlField,
  url: unknown,
): Promise<FieldFault[]> {
  if (typeof url !== 'string' || url === '') return [];
  const reason = await webhookUrlFault(url);
  if (reason) return [{ field, code: 'INVALID_VALUE', message: reason }];
  const { origin } = new URL(url);
  if (!areWebhookOriginsRegistered || merchant.webhookOrigins.includes(origin)) return [];
  const message = `${origin} is not an origin that this merchant registered for webhooks.`;
  return [{ field, code: 'INVALID_VALUE', message }];
}
