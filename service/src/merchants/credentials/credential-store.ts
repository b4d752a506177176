import type { Executor } from '#database/database.ts';
import { allRows, execute, hasRows } from '#database/statements.ts';
import type { StoredHash } from './secret-hash.ts';

/** A merchant's usernames for the token call; more of them are a mistake of a script. */
export const MOST_CREDENTIALS = 20;

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

interface MerchantId {
  readonly merchantId: string;
}

export const insertCredential = execute(
  'credential-insert',
  `INSERT INTO api_credentials (username, merchant_id, scopes, created_at)
   VALUES ($1, $2, $3, $4)`,
  (made: Pick<StoredCredential, 'username' | 'scopes'> & MerchantId, createdAt: Date) => [
    made.username,
    made.merchantId,
    made.scopes,
    createdAt,
  ],
);

/** A merchant's credentials, oldest first, each with its passwords that are live at `at`. */
export const listCredentials = allRows<StoredCredential, [merchantId: string, at: Date]>(
  'credential-list',
  `SELECT c.username, c.scopes, c.created_at AS "createdAt", c.revoked_at AS "revokedAt",
     array(SELECT p.expires_at FROM api_credential_passwords p
           WHERE p.username = c.username AND (p.expires_at IS NULL OR p.expires_at > $2)
           ORDER BY 1 DESC NULLS FIRST) AS "passwordExpiries",
     array(SELECT u.used_at FROM api_credential_passwords p
           LEFT JOIN credential_uses u ON u.credential_id = p.id
           WHERE p.username = c.username AND (p.expires_at IS NULL OR p.expires_at > $2)
           ORDER BY p.expires_at DESC NULLS FIRST) AS "passwordUses"
   FROM api_credentials c WHERE c.merchant_id = $1 ORDER BY c.created_at, c.username`,
);

/** @returns whether there was such a credential that was not revoked yet */
export const revokeCredential = hasRows<[merchantId: string, username: string, revokedAt: Date]>(
  'credential-revoke',
  `UPDATE api_credentials SET revoked_at = $3
   WHERE merchant_id = $1 AND username = $2 AND revoked_at IS NULL RETURNING username`,
);

export const insertPassword = execute(
  'credential-insert-password',
  `INSERT INTO api_credential_passwords (id, username, secret_hash, pepper_id, created_at)
   VALUES ($1, $2, $3, $4, $5)`,
  (made: StoredHash & { readonly id: string; readonly username: string }, createdAt: Date) => [
    made.id,
    made.username,
    made.secretHash,
    made.pepperId,
    createdAt,
  ],
);

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

export const insertApiKey = execute(
  'api-key-insert',
  `INSERT INTO api_keys (id, merchant_id, secret_hash, pepper_id, hint, created_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
  (made: StoredHash & Pick<StoredApiKey, 'id' | 'hint'> & MerchantId, createdAt: Date) => [
    made.id,
    made.merchantId,
    made.secretHash,
    made.pepperId,
    made.hint,
    createdAt,
  ],
);

/** Sets the end of the current API key and ends older ones at `at`. */
export const endApiKeys = execute<[merchantId: string, at: Date, currentEndsAt: Date]>(
  'api-key-end',
  `UPDATE api_keys
   SET expires_at = CASE WHEN expires_at IS NULL THEN $3::timestamptz ELSE $2 END
   WHERE merchant_id = $1 AND revoked_at IS NULL
     AND (expires_at IS NULL OR expires_at > $2)`,
);

/**
 * The newest hundred API keys of a merchant, newest first.
 *
 * The newest hundred: a merchant that rotates daily sees every live key and the history of its
 * keys.
 */
export const listApiKeys = allRows<StoredApiKey, [merchantId: string]>(
  'api-key-list',
  `SELECT id, hint, created_at AS "createdAt", expires_at AS "expiresAt",
     revoked_at AS "revokedAt",
     (SELECT u.used_at FROM credential_uses u WHERE u.credential_id = k.id) AS "usedAt"
   FROM api_keys k WHERE merchant_id = $1 ORDER BY created_at DESC, id DESC LIMIT 100`,
);

/** @returns whether there was such an API key that was not revoked yet */
export const revokeApiKey = hasRows<[merchantId: string, id: string, revokedAt: Date]>(
  'api-key-revoke',
  `UPDATE api_keys SET revoked_at = $3
   WHERE merchant_id = $1 AND id::text = $2 AND revoked_at IS NULL RETURNING id`,
);
