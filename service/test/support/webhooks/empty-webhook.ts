import type { OutgoingWebhook } from '#webhooks/https/send-webhook.ts';

/** A webhook for a sender without a database; it carries nothing. */
export function emptyWebhookTo(url: string): OutgoingWebhook {
  return {
    merchantId: 'merchant',
    endpointId: null,
    url,
    id: 'id',
    body: '{}',
    username: 'u',
    password: 'p',
    signingSecrets: [],
  };
}
