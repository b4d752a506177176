import type { JWK } from 'jose';
import { allRows, execute, valuesOf } from '#database/statements.ts';

/** With a daily rotation this is most of a year; older keys have long stopped verifying. */
const MOST_KEYS = 200;

export interface StoredSigningKey {
  /** The RFC 7638 thumbprint of the public key; the `kid` of its tokens. */
  readonly keyId: string;
  readonly publicJwk: JWK;
  /** The private key as a JWK, encrypted for `signing-key:<keyId>`. */
  readonly privateKeyEncrypted: Buffer;
  readonly signsFrom: Date;
  readonly createdAt: Date;
  readonly removedAt: Date | null;
}

/**
 * Locks the key set until the end of the transaction.
 *
 * Two changes of the key set wait for each other, also while there is no row to lock.
 */
export const lockSigningKeys = execute(
  'signing-key-lock',
  `SELECT pg_advisory_xact_lock(hashtext('payment-requests-signing-keys'))`,
);

export const insertSigningKey = execute<[key: Omit<StoredSigningKey, 'removedAt'>]>(
  'signing-key-insert',
  `INSERT INTO signing_keys
     (key_id, public_jwk, private_key_encrypted, signs_from, created_at)
   VALUES ($1, $2, $3, $4, $5)`,
  valuesOf('keyId', 'publicJwk', 'privateKeyEncrypted', 'signsFrom', 'createdAt'),
);

/** The newest keys; the key that signs last comes first. */
export const listSigningKeys = allRows<StoredSigningKey>(
  'signing-key-list',
  `SELECT key_id AS "keyId", public_jwk AS "publicJwk",
     private_key_encrypted AS "privateKeyEncrypted", signs_from AS "signsFrom",
     created_at AS "createdAt", removed_at AS "removedAt"
   FROM signing_keys ORDER BY signs_from DESC, created_at DESC, key_id DESC
   LIMIT ${MOST_KEYS}`,
);

export const removeStoredSigningKey = execute<[keyId: string, removedAt: Date]>(
  'signing-key-remove',
  `UPDATE signing_keys SET removed_at = $2 WHERE key_id = $1`,
);
