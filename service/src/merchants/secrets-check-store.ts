import type { Executor, Statement } from '#database/database.ts';
import { execute } from '#database/statements.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { hashesEqual, hashesOf, hashSecret } from '#merchants/credentials/secret-hash.ts';

const KNOWN_TEXT = 'secrets check';

const FIND: Statement = {
  name: 'secrets-check-find',
  text: 'SELECT secrets_check AS hash FROM deployment',
};

/** Records the current key, if the database has no record yet. */
export const keepSecretsCheck = execute(
  'secrets-check-keep',
  'UPDATE deployment SET secrets_check = $1 WHERE secrets_check IS NULL',
  (key: Buffer) => [hashSecret(key, KNOWN_TEXT)],
);

/** Records that all secrets are encrypted under the current key. */
export const renewSecretsCheck = execute(
  'secrets-check-renew',
  'UPDATE deployment SET secrets_check = $1',
  (key: RotatingKey) => [hashSecret(key.current, KNOWN_TEXT)],
);

/** Whether the deployment's key is one of these; null: the database has no record. */
export async function isKeyOfSecrets(db: Executor, key: RotatingKey): Promise<boolean | null> {
  const [row] = await db.query<{ hash: Buffer | null }>(FIND);
  const known = row?.hash;
  if (!known) return null;
  return hashesOf(key, KNOWN_TEXT).some((hash) => hashesEqual(known, hash));
}
