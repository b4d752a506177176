import type { Executor, Statement } from '#database/database.ts';
import { execute } from '#database/statements.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { hashesEqual, hashesOf, hashSecret } from './secret-hash.ts';

/** No password and no API key can be this text: theirs begin with sbx_ or prd_. */
const KNOWN_TEXT = 'credentials check';

const FIND: Statement = {
  name: 'credentials-check-find',
  text: 'SELECT credentials_check AS hash FROM deployment',
};

/** Records the current pepper, before the first password is hashed with it. */
export const keepCredentialsCheck = execute(
  'credentials-check-keep',
  `UPDATE deployment SET credentials_check = $1
   WHERE credentials_check IS NULL AND NOT EXISTS (SELECT FROM api_credential_passwords)`,
  (pepper: RotatingKey) => [hashSecret(pepper.current, KNOWN_TEXT)],
);

/** Records the current pepper, at the end of a rotation. */
export const renewCredentialsCheck = execute(
  'credentials-check-renew',
  'UPDATE deployment SET credentials_check = $1',
  (pepper: RotatingKey) => [hashSecret(pepper.current, KNOWN_TEXT)],
);

/** Whether the deployment's pepper is one of these; null: the database has no check yet. */
export async function isPepperOfCredentials(
  db: Executor,
  pepper: RotatingKey,
): Promise<boolean | null> {
  const [row] = await db.query<{ hash: Buffer | null }>(FIND);
  const known = row?.hash;
  if (!known) return null;
  return hashesOf(pepper, KNOWN_TEXT).some((hash) => hashesEqual(known, hash));
}
