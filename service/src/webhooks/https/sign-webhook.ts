import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Remembered } from './remembered.ts';

const SECRET_PREFIX = 'whsec_';

/** Making a key costs five times what signing with it does. A few hundred bytes each. */
const MOST_REMEMBERED = 1_000;

const signingKeys = new Remembered<KeyObject>(MOST_REMEMBERED);

/**
 * The `webhook-signature` header of Standard Webhooks 1.0: one `v1` signature for each live secret,
 * separated by spaces.
 *
 * @param secrets   as merchants know them: `whsec_` and standard base64
 * @param timestamp seconds since 1970, as in `webhook-timestamp`
 */
export function signWebhook(
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string {
  return secrets
    .map((secret) => {
      const signature = createHmac('sha256', signingKeys.get(secret, keyOf));
      return `v1,${signature.update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64')}`;
    })
    .join(' ');
}

function keyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));
}
