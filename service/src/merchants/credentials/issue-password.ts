import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Environment } from '#lib/environment.ts';
import { newId } from '#lib/new-id.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { newSecret } from '#merchants/new-secret.ts';
import { insertPassword } from './credential-store.ts';
import { storedHash } from './secret-hash.ts';

/** What making a password or an API key takes. */
export interface SecretNeeds {
  readonly clock: Clock;
  readonly environment: Environment;
  /** `CREDENTIALS_PEPPER`, and the key that it replaces. */
  readonly credentialsPepper: RotatingKey;
}

/** Makes a password for a username and keeps its hash; only here is the password answered. */
export async function issuePassword(
  tx: Executor,
  { clock, environment, credentialsPepper }: SecretNeeds,
  username: string,
): Promise<string> {
  const password = newSecret(environment);
  const hashed = storedHash(credentialsPepper, password);
  await insertPassword(tx, { id: newId(), username, ...hashed }, clock.now());
  return password;
}
