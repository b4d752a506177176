import type { FieldFault } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import type { WebhookUrlField } from './payment-request.ts';

export interface ValidateWebhookUrlDeps {
  /** Why a webhook URL cannot be called, as a sentence; null when it can. */
  readonly webhookUrlFault: (url: string) => Promise<string | null>;
  /** Production: a webhookUrl must lie at an origin that the merchant registered (contract §4). */
  readonly areWebhookOriginsRegistered: boolean;
}

/**
 * What is wrong with a webhook URL, judged when it is given, so that a bad address is a 400 and not
 * a silent loss (contract §4). It waits for the network: never call it within a transaction.
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
