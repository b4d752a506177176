import type { Executor } from '#database/database.ts';
import { decryptSecret } from '#lib/secrets/secret-box.ts';
import { auditEndpoint } from './change.ts';
import { lockOwnEndpoint } from './find-own.ts';
import type { EndpointChangeDeps } from './register.ts';

export interface EndpointSecrets {
  readonly id: string;
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly signingSecret: string;
  /** Signs beside the newer one until its end; null: no rotation is under way. */
  readonly previousSigningSecret: string | null;
  readonly previousSecretEndsAt: Date | null;
}

/**
 * Reads back an endpoint's credentials, and records the reader in the audit log.
 *
 * @throws Problem WEBHOOK_ENDPOINT_NOT_FOUND; SecretUnreadable under another `SECRETS_KEY`
 */
export async function showEndpointSecrets(
  tx: Executor,
  deps: EndpointChangeDeps,
  merchantId: string,
  id: string,
): Promise<EndpointSecrets> {
  const endpoint = await lockOwnEndpoint(tx, merchantId, id);
  const open = (box: Buffer, kind: string) =>
    decryptSecret(deps.secretsKey, box, `endpoint:${endpoint.id}:${kind}`);
  const { previousSigningSecretEncrypted: previous } = endpoint;
  const secrets = {
    id: endpoint.id,
    url: endpoint.url,
    username: endpoint.username,
    password: open(endpoint.passwordEncrypted, 'listener_password'),
    signingSecret: open(endpoint.signingSecretEncrypted, 'signing_secret'),
    previousSigningSecret: previous && open(previous, 'signing_secret'),
    previousSecretEndsAt: endpoint.previousSigningSecretUntil,
  };
  await auditEndpoint(tx, deps, endpoint, 'WEBHOOK_SECRETS_SHOWN', {
    listenerUsername: endpoint.username,
  });
  return secrets;
}
