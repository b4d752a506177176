import { newSigningSecret } from '#merchants/new-secret.ts';
import type { OutgoingWebhook } from '#webhooks/https/send-webhook.ts';
import type { DeliveryOutcome } from '#webhooks/model/outcomes.ts';
import type { NextStep } from '#webhooks/model/retry-schedule.ts';

/**
 * How the webhooks of a sandbox payment request misbehave, so that a listener can be tried
 * (contract §8): sent again after it was acknowledged, sent with a wrong signature before the right
 * one, or not sent at all.
 */
export type WebhookMisbehaviour = 'DUPLICATE' | 'BAD_SIGNATURE' | 'NO_WEBHOOK';

/** What is sent: everything as it should be, but perhaps signed with a secret that nobody has. */
export function misbehavingWebhook(
  webhook: OutgoingWebhook,
  misbehaviour: WebhookMisbehaviour | null,
): OutgoingWebhook {
  if (misbehaviour !== 'BAD_SIGNATURE') return webhook;
  return { ...webhook, signingSecrets: webhook.signingSecrets.map(newSigningSecret) };
}

/** What comes after: the same webhook at once, though the listener has acknowledged it. */
export function misbehavingStep(
  next: NextStep,
  outcome: DeliveryOutcome,
  misbehaviour: WebhookMisbehaviour | null,
): NextStep {
  if (misbehaviour === null || outcome !== 'SUCCEEDED') return next;
  return { ...next, status: 'PENDING', delaySeconds: 0 };
}
