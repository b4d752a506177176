import type { Executor, Statement } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { hashesEqual, hashesOf, hashSecret } from '#merchants/credentials/secret-hash.ts';

const KNOWN_TEXT = 'secrets check';

const KEEP: Statement = {
  name: 'secrets-check-keep',
  text: 'UPDATE deployment SET secrets_check = $1 WHERE secrets_check IS NULL',
};

const RENEW: Statement = {
  name: 'secrets-check-renew',
  text: 'UPDATE deployment SET secrets_check = $1',
};

const FIND: Statement = {
  name: 'secrets-check-find',
  text: 'SELECT secrets_check AS hash FROM deployment',
};

/** Records the current key, if the database has no record yet. */
export async function keepSecretsCheck(db: Executor, key: Buffer): Promise<void> {
  await db.query(KEEP, [hashSecret(key, KNOWN_TEXT)]);
}

/** Records that all secrets are encrypted under the current key. */
export async function renewSecretsCheck(db: Executor, key: RotatingKey): Promise<void> {
  await db.query(RENEW, [hashSecret(key.current, KNOWN_TEXT)]);
}

/** Whether the deployment's key is one of these; null: the database has no record. */
export async function isKeyOfSecrets(db: Executor, key: RotatingKey): Promise<boolean | null> {
  const [row] = await db.query<{ hash: Buffer | null }>(FIND);
  const known = row?.hash;
  if (!known) return null;
  return hashesOf(key, KNOWN_TEXT).some((hash) => hashesEqual(known, hash));
}
