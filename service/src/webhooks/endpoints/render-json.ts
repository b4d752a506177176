import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptSecret } from '#lib/secrets/secret-box.ts';
import { PAUSE_REASONS, type WebhookEndpoint } from '#webhooks/model/endpoint.ts';

/** `whsec_` and as many characters as tell two secrets apart, and give nothing away. */
const SHOWN_OF_SECRET = 'whsec_'.length + 4;

/** Secrets that an answer may show, because they are new. */
export interface NewEndpointSecrets {
  readonly password?: string;
  readonly signingSecret?: string;
}

/** An endpoint as it is answered (delivery §3); `undefined` is left out. */
export function endpointMembers(
  secretsKey: RotatingKey,
  endpoint: WebhookEndpoint,
  fresh: NewEndpointSecrets = {},
) {
  const { id, pausedReason } = endpoint;
  return {
    id,
    url: endpoint.url,
    eventTypes: endpoint.eventTypes ?? undefined,
    description: endpoint.description ?? undefined,
    status: endpoint.status,
    statusReason:
      endpoint.status === 'PAUSED'
        ? { code: pausedReason, message: messageOf(pausedReason) }
        : undefined,
    username: endpoint.username,
    password: fresh.password,
    signingSecret: fresh.signingSecret ?? maskedSecret(secretsKey, endpoint),
    previousSecretExpiryDateTime: endpoint.previousSigningSecretUntil ?? undefined,
    createdDateTime: endpoint.createdAt,
  };
}

function messageOf(reason: string | null): string {
  const messages: Readonly<Record<string, string>> = PAUSE_REASONS;
  return messages[reason ?? ''] ?? 'It was paused.';
}

function maskedSecret(
  secretsKey: RotatingKey,
  { id, signingSecretEncrypted }: WebhookEndpoint,
): string {
  const context = `endpoint:${id}:signing_secret`;
  const secret = decryptSecret(secretsKey, signingSecretEncrypted, context);
  return `${secret.slice(0, SHOWN_OF_SECRET)}…`;
}
