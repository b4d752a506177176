import type { Executor } from '#database/database.ts';
import { cellMark } from '#lib/cells/cell-mark.ts';
import { newId } from '#lib/new-id.ts';
import { newApiKey } from '#merchants/new-secret.ts';
import { insertApiKey } from './credential-store.ts';
import type { SecretDeps } from './issue-password.ts';
import { storedHash } from './secret-hash.ts';

/** Behind the cell's mark: prefix and six characters distinguish keys, 220 bits stay secret. */
const HINT_LENGTH = 10;

/** Creates an API key for a merchant and stores its hash; only the result holds the key itself. */
export async function issueApiKey(
  tx: Executor,
  { clock, environment, cell, credentialsPepper }: SecretDeps,
  merchantId: string,
): Promise<string> {
  const apiKey = newApiKey({ environment, cell });
  const hashed = storedHash(credentialsPepper, apiKey);
  const hint = apiKey.slice(0, cellMark(cell).length + HINT_LENGTH);
  await insertApiKey(tx, { id: newId(), merchantId, ...hashed, hint }, clock.now());
  return apiKey;
}
