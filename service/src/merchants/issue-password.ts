import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { Environment } from '#lib/environment.ts';
import { newId } from '#lib/new-id.ts';
import { insertPassword } from './credential-store.ts';
import { newSecret } from './new-secret.ts';
import { hashSecret } from './secret-hash.ts';

/** What making a password or an API key takes. */
export interface SecretNeeds {
  readonly clock: Clock;
  readonly environment: Environment;
  /** 32 bytes, `CREDENTIALS_PEPPER`. */
  readonly credentialsPepper: Buffer;
}

/** Makes a password for a username and keeps its hash; only here is the password answered. */
export async function issuePassword(
  tx: Executor,
  { clock, environment, credentialsPepper }: SecretNeeds,
  username: string,
): Promise<string> {
  const password = newSecret(environment);
  const secretHash = hashSecret(credentialsPepper, password);
  await insertPassword(tx, { id: newId(), username, secretHash }, clock.now());
  return password;
}
