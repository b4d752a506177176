import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Environment } from '#lib/environment.ts';
import { newId } from '#lib/new-id.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { AuditedDeps } from '#merchants/audit-log-store.ts';
import { newSecret } from '#merchants/new-secret.ts';
import { insertPassword } from './credential-store.ts';
import { storedHash } from './secret-hash.ts';

/** The needs of a new password or API key. */
export interface SecretDeps {
  readonly clock: Clock;
  readonly environment: Environment;
  /** `CELL` */
  readonly cell: number;
  /** `CREDENTIALS_PEPPER`, and the pepper that it replaces. */
  readonly credentialsPepper: RotatingKey;
}

/** The needs of an operator's act that makes a password or API key. */
export type CredentialDeps = SecretDeps & AuditedDeps;

/** Creates a password for a username and stores its hash; only the result holds the password. */
export async function issuePassword(
  tx: Executor,
  { clock, environment, credentialsPepper }: SecretDeps,
  username: string,
): Promise<string> {
  const password = newSecret(environment);
  const hashed = storedHash(credentialsPepper, password);
  await insertPassword(tx, { id: newId(), username, ...hashed }, clock.now());
  return password;
}
