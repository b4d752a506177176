import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/** Making a key costs five times what signing with it does. A few hundred bytes each. */
const MOST_REMEMBERED = 1_000;

const signingKeys = new Map<string, KeyObject>();

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
      const signature = createHmac('sha256', signingKeyOf(secret));
      return `v1,${signature.update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64')}`;
    })
    .join(' ');
}

function signingKeyOf(secret: string): KeyObject {
  const known = signingKeys.get(secret);
  if (known) return known;
  const key = createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));
  // The oldest key goes; a signature that still needs the key makes the key again.
  const [oldest] = signingKeys.keys();
  if (oldest !== undefined && signingKeys.size >= MOST_REMEMBERED) signingKeys.delete(oldest);
  signingKeys.set(secret, key);
  return key;
}
