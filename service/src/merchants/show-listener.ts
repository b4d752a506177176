import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptSecret } from '#lib/secrets/secret-box.ts';
import { type AuditedDeps, recordAct } from './audit-log-store.ts';
import { findListener } from './merchant-store.ts';
import type { ListenerCredentials } from './onboard-merchant.ts';
import { OperatorFault } from './operator-fault.ts';

export interface ShowListenerDeps extends AuditedDeps {
  /** `SECRETS_KEY`, and the key that it replaces. */
  readonly secretsKey: RotatingKey;
}

/**
 * Reads back a merchant's default listener credentials, and records the reader in the audit log.
 *
 * @throws OperatorFault for an unknown merchant; SecretUnreadable under another `SECRETS_KEY`
 */
export function showListener(
  { db, clock, secretsKey, actor }: ShowListenerDeps,
  merchantId: string,
): Promise<ListenerCredentials> {
  return db.transaction(async (tx) => {
    const stored = await findListener(tx, merchantId);
    if (!stored) throw new OperatorFault(`There is no merchant "${merchantId}".`);
    const { username, passwordEncrypted, signingSecretEncrypted } = stored;
    const owner = `merchant:${merchantId}`;
    const listener = {
      username,
      password: decryptSecret(secretsKey, passwordEncrypted, `${owner}:listener_password`),
      signingSecret: decryptSecret(secretsKey, signingSecretEncrypted, `${owner}:signing_secret`),
    };
    await recordAct(tx, { clock, actor }, 'LISTENER_CREDENTIALS_SHOWN', merchantId, {
      listenerUsername: username,
    });
    return listener;
  });
}
