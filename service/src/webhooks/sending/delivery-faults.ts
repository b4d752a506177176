import type { OutgoingWebhook } from '#webhooks/https/send-webhook.ts';
import type { WebhookMisbehaviour } from '#webhooks/model/misbehaviour.ts';
import type { DeliveryOutcome } from '#webhooks/model/outcomes.ts';
import type { NextStep } from '#webhooks/model/retry-schedule.ts';

/** Changes the attempts of deliveries with a misbehaviour. Only the sandbox composes it. */
export interface DeliveryFaults {
  /** The webhook to send in place of the right one. */
  webhook(right: OutgoingWebhook, misbehaviour: WebhookMisbehaviour): OutgoingWebhook;
  /** The step that follows the attempt in place of the planned one. */
  nextStep(
    planned: NextStep,
    outcome: DeliveryOutcome,
    misbehaviour: WebhookMisbehaviour,
  ): NextStep;
}
