import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

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
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`, 'utf8');
      return `v1,${signature.digest('base64')}`;
    })
    .join(' ');
}
