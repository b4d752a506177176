import { hashesEqual, hashSecret, SECRET_HASH_BYTES } from '#merchants/secret-hash.ts';
import { MOST_LIVE_PASSWORDS } from './access-store.ts';
import type { Access } from './create-access.ts';
import type { ClientCredentials } from './read-basic-credentials.ts';

/** A client of the token call that proved who it is. */
export interface AuthenticatedClient {
  readonly username: string;
  readonly merchantId: string;
  readonly scopes: readonly string[];
}

/** What no username of ours looks like is looked up as this, which none is. */
const NOBODY = '-';
const USERNAME = /^[\w-]{1,64}$/;
const NO_HASH = Buffer.alloc(SECRET_HASH_BYTES);

/**
 * Checks a username and password. Every refusal costs the same: one statement, one hash and two
 * comparisons, whether the credentials are missing, the username is unknown, the password is wrong
 * or the merchant is suspended (contract §3), so that nothing can be learned from the time it took.
 */
export async function authenticateClient(
  { findClient, credentialsPepper }: Pick<Access, 'findClient' | 'credentialsPepper'>,
  credentials: ClientCredentials | null,
): Promise<AuthenticatedClient | undefined> {
  const { username: asked, password } = credentials ?? { username: '', password: '' };
  const client = await findClient(USERNAME.test(asked) ? asked : NOBODY);
  const given = hashSecret(credentialsPepper, password);
  let matches = 0;
  for (let index = 0; index < MOST_LIVE_PASSWORDS; index++) {
    const isEqual = hashesEqual(given, client.passwordHashes[index] ?? NO_HASH);
    matches += Number(isEqual && index < client.passwordHashes.length);
  }
  const { username, merchantId, scopes, mayHaveTokens } = client;
  const isKnown = username !== null && merchantId !== null && scopes !== null;
  return isKnown && mayHaveTokens === true && matches > 0
    ? { username, merchantId, scopes }
    : undefined;
}
