import { newSigningSecret } from '#merchants/new-secret.ts';
import type { DeliveryFaults } from '#webhooks/sending/delivery-faults.ts';

/** The misbehaviour that a sandbox payment request asks of its webhooks (contract §8). */
export const sandboxDeliveryFaults: DeliveryFaults = {
  // A new secret signs: no listener knows it.
  webhook: (right, misbehaviour) =>
    misbehaviour === 'BAD_SIGNATURE'
      ? { ...right, signingSecrets: right.signingSecrets.map(newSigningSecret) }
      : right,
  // The listener has acknowledged the webhook, and gets it again at once.
  nextStep: (planned, outcome) =>
    outcome === 'SUCCEEDED' ? { ...planned, status: 'PENDING', delaySeconds: 0 } : planned,
};
