import type { Executor } from '#database/database.ts';
import { newId } from '#lib/new-id.ts';
import { newSecret } from '#merchants/new-secret.ts';
import { insertApiKey } from './credential-store.ts';
import type { SecretDeps } from './issue-password.ts';
import { storedHash } from './secret-hash.ts';

/** The prefix and six characters distinguish keys; 220 random bits stay secret. */
const HINT_LENGTH = 10;

/** Creates an API key for a merchant and stores its hash; only the result holds the key itself. */
export async function issueApiKey(
  tx: Executor,
  { clock, environment, credentialsPepper }: SecretDeps,
  merchantId: string,
): Promise<string> {
  const apiKey = newSecret(environment);
  const hashed = storedHash(credentialsPepper, apiKey);
  const hint = apiKey.slice(0, HINT_LENGTH);
  await insertApiKey(tx, { id: newId(), merchantId, ...hashed, hint }, clock.now());
  return apiKey;
}
