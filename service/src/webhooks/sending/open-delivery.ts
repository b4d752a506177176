import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptSecret } from '#lib/secrets/secret-box.ts';
import type { OutgoingWebhook } from '#webhooks/https/send-webhook.ts';
import type { ClaimedDelivery } from './claim-store.ts';

/**
 * Opens what a claimed delivery sends: its secrets decrypted, those of its endpoint or the
 * merchant's default ones.
 *
 * @throws SecretUnreadable when the service runs with another SECRETS_KEY
 */
export function openDelivery(secretsKey: RotatingKey, delivery: ClaimedDelivery): OutgoingWebhook {
  const { endpointId, merchantId } = delivery;
  const owner = endpointId === null ? `merchant:${merchantId}` : `endpoint:${endpointId}`;
  return {
    url: delivery.url,
    id: delivery.eventId,
    body: delivery.body,
    traceparent: delivery.traceparent,
    username: delivery.username,
    password: decryptSecret(secretsKey, delivery.passwordEncrypted, `${owner}:listener_password`),
    signingSecrets: delivery.signingSecretsEncrypted.map((secret) =>
      decryptSecret(secretsKey, secret, `${owner}:signing_secret`),
    ),
  };
}
