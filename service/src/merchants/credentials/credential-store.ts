import type { Executor } from '#database/database.ts';
import type { StoredHash } from './secret-hash.ts';

/** A merchant's usernames for the token call; more of them are a mistake of a script. */
export const MOST_CREDENTIALS = 20;

const INSERT_CREDENTIAL = {
  name: 'credential-insert',
  text: `INSERT INTO api_credentials (username, merchant_id, scopes, created_at)
         VALUES ($1, $2, $3, $4)`,
};

const LIST_CREDENTIALS = {
  name: 'credential-list',
  text: `SELECT c.username, c.scopes, c.created_at AS "createdAt", c.revoked_at AS "revokedAt",
           array(SELECT p.expires_at FROM api_credential_passwords p
                 WHERE p.username = c.username AND (p.expires_at IS NULL OR p.expires_at > $2)
                 ORDER BY 1 DESC NULLS FIRST) AS "passwordExpiries",
           array(SELECT u.used_at FROM api_credential_passwords p
                 LEFT JOIN credential_uses u ON u.credential_id = p.id
                 WHERE p.username = c.username AND (p.expires_at IS NULL OR p.expires_at > $2)
                 ORDER BY p.expires_at DESC NULLS FIRST) AS "passwordUses"
         FROM api_credentials c WHERE c.merchant_id = $1 ORDER BY c.created_at, c.username`,
};

const REVOKE_CREDENTIAL = {
  name: 'credential-revoke',
  text: `UPDATE api_credentials SET revoked_at = $3
         WHERE merchant_id = $1 AND username = $2 AND revoked_at IS NULL RETURNING username`,
};

const INSERT_PASSWORD = {
  name: 'credential-insert-password',
  text: `INSERT INTO api_credential_passwords (id, username, secret_hash, pepper_id, created_at)
         VALUES ($1, $2, $3, $4, $5)`,
};

// The current password has no end yet and gets one; an older password has an end, and ends now.
const END_PASSWORDS = {
  name: 'credential-end-passwords',
  text: `UPDATE api_credential_passwords
         SET expires_at = CASE WHEN expires_at IS NULL THEN $3::timestamptz ELSE $2 END
         WHERE username = $1 AND (expires_at IS NULL OR expires_at > $2)`,
};

const DELETE_ENDED_PASSWORDS = {
  name: 'credential-delete-ended-passwords',
  text: `WITH ended AS (
           DELETE FROM api_credential_passwords WHERE username = $1 AND expires_at <= $2
           RETURNING id)
         DELETE FROM credential_uses WHERE credential_id IN (SELECT id FROM ended)`,
};

const INSERT_API_KEY = {
  name: 'api-key-insert',
  text: `INSERT INTO api_keys (id, merchant_id, secret_hash, pepper_id, hint, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
};

const END_API_KEYS = {
  name: 'api-key-end',
  text: `UPDATE api_keys
         SET expires_at = CASE WHEN expires_at IS NULL THEN $3::timestamptz ELSE $2 END
         WHERE merchant_id = $1 AND revoked_at IS NULL
           AND (expires_at IS NULL OR expires_at > $2)`,
};

// The newest hundred: a merchant that rotates daily sees every live key and the history of its
// keys.
const LIST_API_KEYS = {
  name: 'api-key-list',
  text: `SELECT id, hint, created_at AS "createdAt", expires_at AS "expiresAt",
           revoked_at AS "revokedAt",
           (SELECT u.used_at FROM credential_uses u WHERE u.credential_id = k.id) AS "usedAt"
         FROM api_keys k WHERE merchant_id = $1 ORDER BY created_at DESC, id DESC LIMIT 100`,
};

const REVOKE_API_KEY = {
  name: 'api-key-revoke',
  text: `UPDATE api_keys SET revoked_at = $3
         WHERE merchant_id = $1 AND id::text = $2 AND revoked_at IS NULL RETURNING id`,
};

export interface StoredCredential {
  readonly username: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  /** An entry for each live password, the current one first: its end, or `null` without one. */
  readonly passwordExpiries: readonly (Date | null)[];
  /** The last use of each live password, to the hour, in the same order; `null`: none known. */
  readonly passwordUses: readonly (Date | null)[];
}

export interface StoredApiKey {
  readonly id: string;
  readonly hint: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** To the hour; `null`: no use is known. */
  readonly usedAt: Date | null;
}

export async function insertCredential(
  tx: Executor,
  credential: {
    readonly username: string;
    readonly merchantId: string;
    readonly scopes: readonly string[];
  },
  createdAt: Date,
): Promise<void> {
  const { username, merchantId, scopes } = credential;
  await tx.query(INSERT_CREDENTIAL, [username, merchantId, scopes, createdAt]);
}

/** A merchant's credentials, oldest first, each with its passwords that are live at `at`. */
export function listCredentials(
  db: Executor,
  merchantId: string,
  at: Date,
): Promise<StoredCredential[]> {
  return db.query<StoredCredential>(LIST_CREDENTIALS, [merchantId, at]);
}

/** @returns whether there was such a credential that was not revoked yet */
export async function revokeCredential(
  tx: Executor,
  merchantId: string,
  username: string,
  revokedAt: Date,
): Promise<boolean> {
  return (await tx.query(REVOKE_CREDENTIAL, [merchantId, username, revokedAt])).length > 0;
}

export async function insertPassword(
  tx: Executor,
  password: StoredHash & { readonly id: string; readonly username: string },
  createdAt: Date,
): Promise<void> {
  const { id, username, secretHash, pepperId } = password;
  await tx.query(INSERT_PASSWORD, [id, username, secretHash, pepperId, createdAt]);
}

/** Sets the end of the current password, ends older ones at `at` and deletes those long over. */
export async function endPasswords(
  tx: Executor,
  username: string,
  at: Date,
  currentEndsAt: Date,
): Promise<void> {
  await tx.query(DELETE_ENDED_PASSWORDS, [username, at]);
  await tx.query(END_PASSWORDS, [username, at, currentEndsAt]);
}

export async function insertApiKey(
  tx: Executor,
  apiKey: StoredHash & {
    readonly id: string;
    readonly merchantId: string;
    readonly hint: string;
  },
  createdAt: Date,
): Promise<void> {
  const { id, merchantId, secretHash, pepperId, hint } = apiKey;
  await tx.query(INSERT_API_KEY, [id, merchantId, secretHash, pepperId, hint, createdAt]);
}

/** Sets the end of the current API key and ends older ones at `at`. */
export async function endApiKeys(
  tx: Executor,
  merchantId: string,
  at: Date,
  currentEndsAt: Date,
): Promise<void> {
  await tx.query(END_API_KEYS, [merchantId, at, currentEndsAt]);
}

/** The newest hundred API keys of a merchant, newest first. */
export function listApiKeys(db: Executor, merchantId: string): Promise<StoredApiKey[]> {
  return db.query<StoredApiKey>(LIST_API_KEYS, [merchantId]);
}

/** @returns whether there was such an API key that was not revoked yet */
export async function revokeApiKey(
  tx: Executor,
  merchantId: string,
  id: string,
  revokedAt: Date,
): Promise<boolean> {
  return (await tx.query(REVOKE_API_KEY, [merchantId, id, revokedAt])).length > 0;
}
