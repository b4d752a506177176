import { isLocalhost } from '#lib/localhost.ts';
import type { FieldFault } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import type { WebhookUrlField } from './payment-request.ts';

export interface ReturnUrlRules {
  /**
   * Production: a webhookUrl and a returnUrl must lie at an origin that the merchant registered
   * for them (contract §4).
   */
  readonly areOriginsRegistered: boolean;
  /** PUBLIC_API_URL is on localhost: a returnUrl may be `http:` there (contract §4). */
  readonly isLocal: boolean;
}

export interface ValidateUrlsDeps extends ReturnUrlRules {
  /** The reason why a webhook URL cannot be called, as a sentence; null if it can be called. */
  readonly webhookUrlFault: (url: string) => Promise<string | null>;
}

/**
 * Finds the faults of a webhook URL when a call gives the URL: a bad URL is answered 400 instead of
 * losing webhooks silently (contract §4). `webhookUrlFaults` resolves names, so never call it in a
 * transaction.
 */
export async function webhookUrlFaults(
  { webhookUrlFault, areOriginsRegistered }: ValidateUrlsDeps,
  merchant: Merchant,
  field: WebhookUrlField,
  url: unknown,
): Promise<FieldFault[]> {
  if (typeof url !== 'string' || url === '') return [];
  const reason = await webhookUrlFault(url);
  if (reason) return [{ field, code: 'INVALID_VALUE', message: reason }];
  const { origin } = new URL(url);
  if (!areOriginsRegistered || merchant.webhookOrigins.includes(origin)) return [];
  const message = `${origin} is not an origin that this merchant registered for webhooks.`;
  return [{ field, code: 'INVALID_VALUE', message }];
}

/**
 * Finds the faults of a returnUrl (contract §4). Only the payer's browser opens the link, so no
 * name is resolved. A fragment is accepted: pages with routes in the fragment are common. Pure.
 */
export function returnUrlFaults(
  rules: ReturnUrlRules,
  merchant: Merchant,
  url: unknown,
): FieldFault[] {
  if (typeof url !== 'string' || url === '') return [];
  const message = returnUrlFault(rules, merchant, url);
  return message === null ? [] : [{ field: 'returnUrl', code: 'INVALID_VALUE', message }];
}

function returnUrlFault(
  { areOriginsRegistered, isLocal }: ReturnUrlRules,
  merchant: Merchant,
  url: string,
): string | null {
  // Parsers of URLs disagree on blanks, backslashes and a missing "//": the link must lead to the
  // registered origin in each browser.
  const [, authority] = /^https?:\/\/([^/?#]+)[^\s\\]*$/i.exec(url) ?? [];
  const parsed = authority === undefined || /[\s\\]/.test(authority) ? null : URL.parse(url);
  if (authority === undefined || parsed === null) {
    return 'Give returnUrl as a whole https:// URL, without spaces and backslashes.';
  }
  if (parsed.protocol === 'http:' && !(isLocal && isLocalhost(parsed))) {
    const exception = isLocal ? ', or http:// for localhost' : '';
    return `Give returnUrl with https://${exception}.`;
  }
  if (authority.includes('@')) return 'Give returnUrl without a user name and password.';
  const { origin } = parsed;
  if (!areOriginsRegistered || merchant.returnOrigins.includes(origin)) return null;
  return (
    `${origin} is not an origin that this merchant registered for returnUrl. The operator ` +
    `registers it: payreq merchant set-return-origins --merchant ${merchant.id} --add ${origin}`
  );
}
