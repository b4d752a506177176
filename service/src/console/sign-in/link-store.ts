import type { Executor } from '#database/database.ts';

const INSERT = {
  name: 'console-link-insert',
  text: `INSERT INTO console_sign_in_links
           (token_hash, name, grant_text, created_by, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
};

const USE = {
  name: 'console-link-use',
  text: `UPDATE console_sign_in_links SET used_at = $2
         WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2
         RETURNING name, grant_text AS "grantText"`,
};

const PRUNE = {
  name: 'console-link-prune',
  text: `DELETE FROM console_sign_in_links WHERE token_hash IN
           (SELECT token_hash FROM console_sign_in_links
            WHERE expires_at < service_now() - make_interval(days => $1) LIMIT $2)
         RETURNING name`,
};

export interface NewLink {
  readonly tokenHash: Buffer;
  readonly name: string;
  readonly grantText: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertLink(tx: Executor, link: NewLink): Promise<void> {
  const { tokenHash, name, grantText, createdBy, createdAt, expiresAt } = link;
  await tx.query(INSERT, [tokenHash, name, grantText, createdBy, createdAt, expiresAt]);
}

/** Uses a link up; undefined: it does not exist, is used or has expired. */
export async function useStoredLink(
  tx: Executor,
  tokenHash: Buffer,
  now: Date,
): Promise<{ readonly name: string; readonly grantText: string } | undefined> {
  const [link] = await tx.query<{ name: string; grantText: string }>(USE, [tokenHash, now]);
  return link;
}

/** @returns the number of deleted rows */
export async function pruneLinks(db: Executor, days: number, limit: number): Promise<number> {
  return (await db.query(PRUNE, [days, limit])).length;
}
