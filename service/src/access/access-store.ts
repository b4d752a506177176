import type { Executor } from '#database/database.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { MERCHANT_COLUMNS } from '#merchants/merchant-store.ts';

/** Two may be live during a rotation (contract §3). */
export const MOST_LIVE_PASSWORDS = 2;

const FIND_API_KEY = {
  name: 'access-find-api-key',
  text: `SELECT ${MERCHANT_COLUMNS}, m.suspended_at AS "suspendedAt", k.expires_at AS "expiresAt"
         FROM api_keys k JOIN merchants m ON m.id = k.merchant_id
         WHERE k.secret_hash = $1 AND k.revoked_at IS NULL`,
};

const IS_CREDENTIAL_LIVE = {
  name: 'access-is-credential-live',
  text: `SELECT username FROM api_credentials WHERE username = $1 AND revoked_at IS NULL`,
};

// One row for each, whether the username exists or not: the same work for all.
const FIND_CLIENTS = {
  name: 'access-find-clients',
  text: `SELECT c.username, c.scopes, c.merchant_id AS "merchantId",
           c.revoked_at IS NULL AND m.status = 'ACTIVE' AS "mayHaveTokens",
           array(SELECT p.secret_hash FROM api_credential_passwords p
                 WHERE p.username = asked.username AND (p.expires_at IS NULL OR p.expires_at > $2)
                 ORDER BY p.expires_at DESC NULLS FIRST
                 LIMIT ${MOST_LIVE_PASSWORDS}) AS "passwordHashes"
         FROM unnest($1::text[]) WITH ORDINALITY AS asked (username, number)
         LEFT JOIN api_credentials c ON c.username = asked.username
         LEFT JOIN merchants m ON m.id = c.merchant_id
         ORDER BY asked.number`,
};

/** Whom an API key stands for. */
export interface KnownApiKey {
  readonly merchant: Merchant;
  /** The latest suspension, also one that was lifted: it ended the tokens bought until then. */
  readonly suspendedAt: Date | null;
  readonly expiresAt: Date | null;
}

/** The merchant of an API key that is not revoked, by the key's hash. */
export async function findApiKey(
  db: Executor,
  secretHash: Buffer,
): Promise<KnownApiKey | undefined> {
  type Row = Merchant & Omit<KnownApiKey, 'merchant'>;
  const [row] = await db.query<Row>(FIND_API_KEY, [secretHash]);
  if (!row) return undefined;
  const { suspendedAt, expiresAt, ...merchant } = row;
  return { merchant, suspendedAt, expiresAt };
}

/** Whether a username exists and is not revoked. */
export async function isCredentialLive(db: Executor, username: string): Promise<boolean> {
  return (await db.query(IS_CREDENTIAL_LIVE, [username])).length > 0;
}

/** What the token call needs to know of a username; all `null` and empty where there is none. */
export interface StoredClient {
  readonly username: string | null;
  readonly merchantId: string | null;
  readonly scopes: readonly string[] | null;
  readonly mayHaveTokens: boolean | null;
  /** The hashes of the passwords that are live at the instant asked for. */
  readonly passwordHashes: readonly Buffer[];
}

/** What is known of each username, in their order, which may repeat. */
export function findClients(
  db: Executor,
  usernames: readonly string[],
  at: Date,
): Promise<StoredClient[]> {
  return db.query<StoredClient>(FIND_CLIENTS, [usernames, at]);
}
