import {
  MOST_LIVE_PASSWORDS,
  type PasswordInUse,
  renewPasswordHash,
} from '#access/access-store.ts';
import type { Access } from '#access/create-access.ts';
import { renewHash } from '#access/renew-hash.ts';
import { hashesEqual, hashesOf, SECRET_HASH_BYTES } from '#merchants/credentials/secret-hash.ts';
import type { ClientCredentials } from './read-basic-credentials.ts';

/** A client of the token call with proven credentials. */
export interface AuthenticatedClient {
  readonly username: string;
  readonly merchantId: string;
  readonly scopes: readonly string[];
}

/**
 * A text that cannot be a username of this service is replaced by this text, which no username
 * equals.
 */
const NOBODY = '-';
const USERNAME = /^[\w-]{1,64}$/;
const NO_HASH = Buffer.alloc(SECRET_HASH_BYTES);

/**
 * Checks a username and password. Every refusal has equal cost: one statement, and for each
 * accepted pepper one hash and two comparisons. A missing credential, an unknown username, a wrong
 * password and a suspended merchant (contract §3) therefore take the same time.
 */
export async function authenticateClient(
  {
    db,
    findClient,
    credentialsPepper,
    uses,
  }: Pick<Access, 'db' | 'findClient' | 'credentialsPepper' | 'uses'>,
  credentials: ClientCredentials | null,
): Promise<AuthenticatedClient | undefined> {
  const { username: asked, password } = credentials ?? { username: '', password: '' };
  const client = await findClient(USERNAME.test(asked) ? asked : NOBODY);
  let matched: PasswordInUse | undefined;
  for (const given of hashesOf(credentialsPepper, password)) {
    for (let index = 0; index < MOST_LIVE_PASSWORDS; index++) {
      const stored = client.passwordHashes[index];
      if (hashesEqual(given, stored?.secretHash ?? NO_HASH)) matched ??= stored;
    }
  }
  const { username, merchantId, scopes, mayHaveTokens } = client;
  const isKnown = username !== null && merchantId !== null && scopes !== null;
  if (!isKnown || mayHaveTokens !== true || !matched) return undefined;
  uses.note(matched.id);
  const { secretHash } = matched;
  await renewHash(credentialsPepper, password, matched, (renewed) =>
    renewPasswordHash(db, username, secretHash, renewed),
  );
  return { username, merchantId, scopes };
}
