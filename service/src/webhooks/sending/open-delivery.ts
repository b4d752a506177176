import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptSecret } from '#lib/secrets/secret-box.ts';
import { Remembered } from '#webhooks/https/remembered.ts';
import type { OutgoingWebhook } from '#webhooks/https/send-webhook.ts';
import type { ClaimedDelivery } from './lease-store.ts';

/** Two secrets of 500 listeners; some 200 bytes each. */
const MOST_OPENED = 1_000;

/** Opening a box costs as much as signing does. A new secret has another box. */
const openedUnder = new WeakMap<RotatingKey, Remembered<string>>();

/**
 * Opens what a claimed delivery sends: its secrets decrypted, those of its endpoint or the
 * merchant's default ones.
 *
 * @throws SecretUnreadable when the service runs with another SECRETS_KEY
 */
export function openDelivery(secretsKey: RotatingKey, delivery: ClaimedDelivery): OutgoingWebhook {
  const { endpointId, merchantId } = delivery;
  const owner = endpointId === null ? `merchant:${merchantId}` : `endpoint:${endpointId}`;
  const open = (box: Buffer, name: string) => openBox(secretsKey, box, `${owner}:${name}`);
  return {
    merchantId,
    endpointId,
    url: delivery.url,
    id: delivery.eventId,
    body: delivery.body,
    traceparent: delivery.traceparent,
    username: delivery.username,
    password: open(delivery.passwordEncrypted, 'listener_password'),
    signingSecrets: delivery.signingSecretsEncrypted.map((box) => open(box, 'signing_secret')),
  };
}

function openBox(secretsKey: RotatingKey, box: Buffer, context: string): string {
  let opened = openedUnder.get(secretsKey);
  if (!opened) {
    opened = new Remembered(MOST_OPENED);
    openedUnder.set(secretsKey, opened);
  }
  // The context is a part of the key: a box that was copied to another row does not open.
  return opened.get(`${context} ${box.toString('latin1')}`, () =>
    decryptSecret(secretsKey, box, context),
  );
}
