import type { WebhookMisbehaviour } from '#webhooks/model/misbehaviour.ts';

/** The simulator's names whose webhooks misbehave (contract §8). */
const MISBEHAVIOURS: ReadonlyMap<string, WebhookMisbehaviour> = new Map([
  ['depositDuplicate', 'DUPLICATE'],
  ['depositBadSignature', 'BAD_SIGNATURE'],
  ['depositNoWebhook', 'NO_WEBHOOK'],
]);

/** How the webhooks of a payment request misbehave whose payer has this name; null: not at all. */
export function misbehaviourOf(payerName: string): WebhookMisbehaviour | null {
  const [name = ''] = payerName.split(':');
  return MISBEHAVIOURS.get(name) ?? null;
}
