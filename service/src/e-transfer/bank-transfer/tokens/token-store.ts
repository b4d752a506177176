import { allRows, execute, firstRowOrNull, firstValue, valuesOf } from '#database/statements.ts';
import type { TokenRow } from '../../network-connection.ts';

export interface NewToken extends Pick<TokenRow, 'id' | 'scope' | 'accounts' | 'sources'> {
  readonly secretHash: Buffer;
  readonly days: number;
}

const STATE = `CASE WHEN revoked_at IS NOT NULL THEN 'REVOKED'
    WHEN expires_at <= service_now() THEN 'EXPIRED'
    WHEN approved_by IS NULL THEN 'UNAPPROVED' ELSE 'ACTIVE' END`;

const COLUMNS = `id::text, scope, accounts, sources, created_by AS "createdBy",
  created_at AS "createdAt", expires_at AS "expiresAt", used_at AS "usedAt", ${STATE} AS state`;

export const insertToken = execute<
  [token: NewToken & { readonly createdBy: string; readonly approvedBy: string | null }]
>(
  'bank-token-insert',
  `INSERT INTO bank_tokens
     (id, scope, accounts, sources, secret_hash, created_by, approved_by, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, service_now() + make_interval(days => $8))`,
  valuesOf(
    ...(['id', 'scope', 'accounts', 'sources', 'secretHash', 'createdBy', 'approvedBy'] as const),
    'days',
  ),
);

/** Tokens, the newest first. */
export const listTokens = allRows<TokenRow, [most: number]>(
  'bank-token-list',
  `SELECT ${COLUMNS} FROM bank_tokens ORDER BY created_at DESC, id DESC LIMIT $1`,
);

export const lockToken = firstRowOrNull<TokenRow, [id: string]>(
  'bank-token-lock',
  `SELECT ${COLUMNS} FROM bank_tokens WHERE id = $1 FOR UPDATE`,
);

export const approveToken = execute<[id: string, actor: string]>(
  'bank-token-approve',
  'UPDATE bank_tokens SET approved_by = $2 WHERE id = $1',
);

export const revokeToken = execute<[id: string]>(
  'bank-token-revoke',
  'UPDATE bank_tokens SET revoked_at = service_now() WHERE id = $1',
);

export interface UsedToken extends Pick<TokenRow, 'id' | 'scope' | 'accounts' | 'sources'> {
  /** Seconds until the next call is allowed; null: this one is. */
  readonly waitSeconds: number | null;
}

/**
 * Finds a token that counts, and notes its use. A refused call does not count for the hour. A call
 * that waits for the row finds calls of later instants, which count; a clock that jumps back by an
 * hour does not.
 */
export const useToken = firstRowOrNull<UsedToken, [secretHash: Buffer, mostAnHour: number]>(
  'bank-token-use',
  `WITH used AS (
     SELECT id, ARRAY(
       SELECT at FROM unnest(calls) AS at
       WHERE abs(extract(epoch FROM service_now() - at)) < 3600 ORDER BY at) AS recent
     FROM bank_tokens WHERE secret_hash = $1 AND ${STATE} = 'ACTIVE' FOR UPDATE)
   UPDATE bank_tokens t SET used_at = service_now(),
     calls = CASE WHEN cardinality(recent) < $2 THEN recent || service_now() ELSE recent END
   FROM used WHERE t.id = used.id
   RETURNING t.id::text, scope, accounts, sources, CASE WHEN cardinality(recent) >= $2 THEN
     ceil(extract(epoch FROM recent[1] + interval '1 hour' - service_now()))::int END
     AS "waitSeconds"`,
);

/**
 * The accounts whose payment files a program takes. Also an expired token keeps them: its files
 * wait for a new one, and go no other way by themselves.
 */
export const findSendAccounts = firstValue<readonly string[]>(
  'bank-token-find-send-accounts',
  `SELECT coalesce(array_agg(DISTINCT account), '{}') FROM bank_tokens, unnest(accounts) AS account
   WHERE scope = 'payment-files/send' AND revoked_at IS NULL AND approved_by IS NOT NULL`,
  [],
);

export const countUploadTokens = firstValue<number>(
  'bank-token-count-upload',
  `SELECT count(*)::int FROM bank_tokens WHERE scope = 'bank-files/write' AND ${STATE} = 'ACTIVE'`,
  0,
);
