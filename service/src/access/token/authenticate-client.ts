import {
  MOST_LIVE_PASSWORDS,
  type PasswordInUse,
  renewPasswordHash,
  type StoredClient,
} from '#access/access-store.ts';
import type { Access } from '#access/create-access.ts';
import { isHashCurrent, renewHash } from '#access/renew-hash.ts';
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

/** The result of a check. */
export interface CheckedClient {
  /** The data of the username, proven or not. */
  readonly known: StoredClient;
  /** null: the credentials are refused. */
  readonly client: AuthenticatedClient | null;
}

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
): Promise<CheckedClient> {
  const { username: asked, password } = credentials ?? { username: '', password: '' };
  const known = await findClient(USERNAME.test(asked) ? asked : NOBODY);
  let matched: PasswordInUse | undefined;
  for (const given of hashesOf(credentialsPepper, password)) {
    for (let index = 0; index < MOST_LIVE_PASSWORDS; index++) {
      const stored = known.passwordHashes[index];
      if (hashesEqual(given, stored?.secretHash ?? NO_HASH)) matched ??= stored;
    }
  }
  const { username, merchantId, scopes, mayHaveTokens } = known;
  const isKnown = username !== null && merchantId !== null && scopes !== null;
  if (!isKnown || mayHaveTokens !== true || !matched) return { known, client: null };
  uses.note(matched.id);
  if (!isHashCurrent(credentialsPepper, matched)) {
    const { secretHash } = matched;
    await renewHash(credentialsPepper, password, (renewed) =>
      renewPasswordHash(db, username, secretHash, renewed),
    );
  }
  return { known, client: { username, merchantId, scopes } };
}
