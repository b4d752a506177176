import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptSecret } from '#lib/secrets/secret-box.ts';
import { Remembered } from '#webhooks/https/remembered.ts';
import type { OutgoingWebhook } from '#webhooks/https/send-webhook.ts';
import type { ClaimedDelivery } from './lease-store.ts';

/** Two secrets of a listener; some 800 bytes each. */
const MOST_OPENED = 500;

/** Opening a box costs as much as signing does. A new secret has another box. */
const openedUnder = new WeakMap<RotatingKey, Remembered<ReturnType<typeof openAll>>>();

/**
 * Opens what a claimed delivery sends: its secrets decrypted, those of its endpoint or the
 * merchant's default ones.
 *
 * @throws SecretUnreadable when the service runs with another SECRETS_KEY
 */
export function openDelivery(secretsKey: RotatingKey, delivery: ClaimedDelivery): OutgoingWebhook {
  const { endpointId, merchantId, sealedSecrets } = delivery;
  const owner = endpointId === null ? `merchant:${merchantId}` : `endpoint:${endpointId}`;
  let opened = openedUnder.get(secretsKey);
  if (!opened) {
    opened = new Remembered(MOST_OPENED);
    openedUnder.set(secretsKey, opened);
  }
  return {
    merchantId,
    endpointId,
    url: delivery.url,
    id: delivery.eventId,
    body: delivery.body,
    traceparent: delivery.traceparent,
    username: delivery.username,
    // The owner is a part of the key: a box that was copied to another row does not open.
    ...opened.get(`${owner} ${sealedSecrets}`, () => openAll(secretsKey, sealedSecrets, owner)),
  };
}

function openAll(secretsKey: RotatingKey, sealedSecrets: string, owner: string) {
  const open = (sealed: string, name: string) =>
    decryptSecret(secretsKey, Buffer.from(sealed.slice('\\x'.length), 'hex'), `${owner}:${name}`);
  const [password = '', ...signingSecrets] = sealedSecrets.split(' ');
  return {
    password: open(password, 'listener_password'),
    signingSecrets: signingSecrets.map((sealed) => open(sealed, 'signing_secret')),
  };
}
