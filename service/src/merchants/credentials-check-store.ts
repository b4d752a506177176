import type { Executor, Statement } from '#database/database.ts';
import { hashesEqual, hashSecret } from './secret-hash.ts';

/** No password and no API key can be this text: theirs begin with sbx_ or prd_. */
const KNOWN_TEXT = 'credentials check';

const KEEP: Statement = {
  name: 'credentials-check-keep',
  text: `UPDATE deployment SET credentials_check = $1
    WHERE credentials_check IS NULL AND NOT EXISTS (SELECT FROM api_credential_passwords)`,
};

const FIND: Statement = {
  name: 'credentials-check-find',
  text: 'SELECT credentials_check AS hash FROM deployment',
};

/** Writes down which pepper is in force, before the first password is hashed with it. */
export async function keepCredentialsCheck(tx: Executor, pepper: Buffer): Promise<void> {
  await tx.query(KEEP, [hashSecret(pepper, KNOWN_TEXT)]);
}

/** Whether credentials are hashed with this pepper; null where nobody has written it down. */
export async function isPepperOfCredentials(db: Executor, pepper: Buffer): Promise<boolean | null> {
  const [row] = await db.query<{ hash: Buffer | null }>(FIND);
  if (!row?.hash) return null;
  return hashesEqual(row.hash, hashSecret(pepper, KNOWN_TEXT));
}
