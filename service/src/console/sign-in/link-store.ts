import { execute, firstRow, rowCount, valuesOf } from '#database/statements.ts';

export interface NewLink {
  readonly tokenHash: Buffer;
  readonly name: string;
  readonly grantText: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export const insertLink = execute<[link: NewLink]>(
  'console-link-insert',
  `INSERT INTO console_sign_in_links
     (token_hash, name, grant_text, created_by, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
  valuesOf('tokenHash', 'name', 'grantText', 'createdBy', 'createdAt', 'expiresAt'),
);

/** Uses a link up; undefined: it does not exist, is used or has expired. */
export const useStoredLink = firstRow<
  Pick<NewLink, 'name' | 'grantText'>,
  [tokenHash: Buffer, now: Date]
>(
  'console-link-use',
  `UPDATE console_sign_in_links SET used_at = $2
   WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2
   RETURNING name, grant_text AS "grantText"`,
);

/** @returns the number of deleted rows */
export const pruneLinks = rowCount<[days: number, limit: number]>(
  'console-link-prune',
  `DELETE FROM console_sign_in_links WHERE token_hash IN
     (SELECT token_hash FROM console_sign_in_links
      WHERE expires_at < service_now() - make_interval(days => $1) LIMIT $2)
   RETURNING name`,
);
