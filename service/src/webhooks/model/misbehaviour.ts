/**
 * How the webhooks of a sandbox payment request misbehave, so that a listener can be tested
 * (contract §8). DUPLICATE: sent again after the listener acknowledged it. BAD_SIGNATURE: sent with
 * a wrong signature before the right one. NO_WEBHOOK: not sent.
 */
export type WebhookMisbehaviour = 'DUPLICATE' | 'BAD_SIGNATURE' | 'NO_WEBHOOK';
