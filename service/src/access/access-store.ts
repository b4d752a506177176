import type { Executor } from '#database/database.ts';
import { execute, hasRows } from '#database/statements.ts';
import { ID_PLACE } from '#lib/cursor.ts';
import { SECRET_HASH_BYTES, type StoredHash } from '#merchants/credentials/secret-hash.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { MERCHANT_COLUMNS } from '#merchants/merchant-store.ts';

/** A rotation has two live rows (contract §3). */
export const MOST_LIVE_PASSWORDS = 2;

// The sub-select hides the length of the list, as in FIND_CLIENTS.
const FIND_API_KEY = {
  name: 'access-find-api-key',
  text: `SELECT ${MERCHANT_COLUMNS}, m.suspended_at AS "suspendedAt", k.id AS "keyId",
           k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
           k.secret_hash AS "secretHash", k.pepper_id AS "pepperId"
         FROM api_keys k JOIN merchants m ON m.id = k.merchant_id
         WHERE k.secret_hash = ANY ((SELECT $1::bytea[])::bytea[])`,
};

// Every username has one row, whether it exists or not: the work is equal for all usernames.
// The sub-select hides the length of the list: the planner then expects as many rows for any list,
// and PostgreSQL keeps one plan (decision 0080). It planned each list of one username again.
const FIND_CLIENTS = {
  name: 'access-find-clients',
  text: `SELECT c.username, c.scopes, c.merchant_id AS "merchantId",
           c.revoked_at IS NULL AND m.status = 'ACTIVE' AS "mayHaveTokens",
           array(SELECT uuid_send(p.id) || p.secret_hash || p.pepper_id
                 FROM api_credential_passwords p
                 WHERE p.username = asked.username AND (p.expires_at IS NULL OR p.expires_at > $2)
                 ORDER BY p.expires_at DESC NULLS FIRST
                 LIMIT ${MOST_LIVE_PASSWORDS}) AS "passwordHashes"
         FROM unnest((SELECT $1::text[])) WITH ORDINALITY AS asked (username, number)
         LEFT JOIN api_credentials c ON c.username = asked.username
         LEFT JOIN merchants m ON m.id = c.merchant_id
         ORDER BY asked.number`,
};

/** A hash in the database and the id of its pepper. */
export interface HashInUse {
  readonly secretHash: Buffer;
  readonly pepperId: Buffer;
}

/** The owner of an API key. */
export interface KnownApiKey {
  /** The id of the key. */
  readonly keyId: string;
  readonly hash: HashInUse;
  readonly merchant: Merchant;
  /** The latest suspension, also a lifted one: it ended the tokens issued before it. */
  readonly suspendedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** The merchant of an API key, by the key's possible hashes; a revoked key is found too. */
export async function findApiKey(
  db: Executor,
  secretHashes: readonly Buffer[],
): Promise<KnownApiKey | undefined> {
  type Row = Merchant & Omit<KnownApiKey, 'merchant' | 'hash'> & HashInUse;
  const [row] = await db.query<Row>(FIND_API_KEY, [secretHashes]);
  if (!row) return undefined;
  const { keyId, suspendedAt, expiresAt, revokedAt, secretHash, pepperId, ...merchant } = row;
  const hash = { secretHash, pepperId };
  return { keyId, merchant, suspendedAt, expiresAt, revokedAt, hash };
}

/**
 * Replaces the current hash of a password by its hash under the current pepper.
 *
 * SKIP LOCKED: a call that proves its credentials must not wait for a rotation of them.
 */
export const renewPasswordHash = execute(
  'access-renew-password-hash',
  `UPDATE api_credential_passwords SET secret_hash = $3, pepper_id = $4
   WHERE id = (SELECT id FROM api_credential_passwords
               WHERE username = $1 AND secret_hash = $2 LIMIT 1 FOR UPDATE SKIP LOCKED)`,
  (username: string, inUse: Buffer, { secretHash, pepperId }: StoredHash) => [
    username,
    inUse,
    secretHash,
    pepperId,
  ],
);

/** Replaces the current hash of an API key by its hash under the current pepper. */
export const renewApiKeyHash = execute(
  'access-renew-api-key-hash',
  `UPDATE api_keys SET secret_hash = $2, pepper_id = $3
   WHERE id = (SELECT id FROM api_keys WHERE secret_hash = $1 FOR UPDATE SKIP LOCKED)`,
  (inUse: Buffer, { secretHash, pepperId }: StoredHash) => [inUse, secretHash, pepperId],
);

/** Whether a username exists and is not revoked. */
export const isCredentialLive = hasRows<[username: string]>(
  'access-is-credential-live',
  `SELECT username FROM api_credentials WHERE username = $1 AND revoked_at IS NULL`,
);

/** A live password of a username. */
export interface PasswordInUse extends HashInUse {
  readonly id: string;
}

/** The data of a username for the token call; an unknown username has `null` and empty values. */
export interface StoredClient {
  readonly username: string | null;
  readonly merchantId: string | null;
  readonly scopes: readonly string[] | null;
  readonly mayHaveTokens: boolean | null;
  /** The hashes of the passwords that are live at the given instant. */
  readonly passwordHashes: readonly PasswordInUse[];
}

/** The data of each username, in the given order; usernames may repeat. */
export async function findClients(
  db: Executor,
  usernames: readonly string[],
  at: Date,
): Promise<StoredClient[]> {
  type Row = Omit<StoredClient, 'passwordHashes'> & { readonly passwordHashes: Buffer[] };
  const rows = await db.query<Row>(FIND_CLIENTS, [usernames, at]);
  return rows.map((row) => ({ ...row, passwordHashes: row.passwordHashes.map(readHash) }));
}

/** Splits the text into the id, the hash, and the pepper id behind both. */
function readHash(bytes: Buffer): PasswordInUse {
  const { id } = ID_PLACE.read(bytes.subarray(0, ID_PLACE.size));
  const secretHash = bytes.subarray(ID_PLACE.size, ID_PLACE.size + SECRET_HASH_BYTES);
  const pepperId = bytes.subarray(ID_PLACE.size + SECRET_HASH_BYTES);
  return { id, secretHash, pepperId };
}
