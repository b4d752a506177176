import type { Executor } from '#database/database.ts';
import { execute } from '#database/statements.ts';
import type { ChainPlace } from './read-store.ts';

/** A daily `audit checkpoint` makes ten thousand in 27 years; prunes add one a year. */
const MOST_CHECKPOINTS = 10_000;

const LIST = {
  name: 'audit-checkpoint-list',
  text: `SELECT position::text, hash, is_start AS "isStart", created_at AS "createdAt", signature
    FROM audit_checkpoints ORDER BY audit_checkpoints.position LIMIT ${MOST_CHECKPOINTS}`,
};

const FIND_LAST_OLD = {
  name: 'audit-prune-find-last-old',
  text: `SELECT position::text, hash FROM audit_log
    WHERE position < coalesce(
      (SELECT min(position) FROM audit_log WHERE occurred_at >= $1), 9223372036854775807)
    ORDER BY audit_log.position DESC LIMIT 1`,
};

const ALLOW_PRUNE = {
  name: 'audit-prune-allow',
  text: `SELECT set_config('payment_requests.audit_prune', 'on', true)`,
};

const DELETE = {
  name: 'audit-prune-delete',
  text: `DELETE FROM audit_log WHERE id IN (
      SELECT id FROM audit_log WHERE position <= $1::bigint ORDER BY position LIMIT $2)
    RETURNING 1`,
};

export interface Checkpoint extends ChainPlace {
  /** A prune left it: no entry stands before it. */
  readonly isStart: boolean;
  readonly createdAt: Date;
}

export interface SignedCheckpoint extends Checkpoint {
  readonly signature: Buffer;
}

/** All checkpoints, in the order of the chain. */
export async function listCheckpoints(db: Executor): Promise<SignedCheckpoint[]> {
  type Row = Omit<SignedCheckpoint, 'position'> & { readonly position: string };
  const rows = await db.query<Row>(LIST);
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
}

export const saveCheckpoint = execute(
  'audit-checkpoint-insert',
  `INSERT INTO audit_checkpoints (position, hash, is_start, created_at, signature)
   VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (position) DO UPDATE
     SET is_start = excluded.is_start, created_at = excluded.created_at,
         signature = excluded.signature`,
  ({ position, hash, isStart, createdAt, signature }: SignedCheckpoint) => [
    `${position}`,
    hash,
    isStart,
    createdAt,
    signature,
  ],
);

export const saveSignature = execute(
  'audit-checkpoint-sign',
  'UPDATE audit_checkpoints SET signature = $2 WHERE position = $1::bigint',
  (position: bigint, signature: Buffer) => [`${position}`, signature],
);

/** The last entry before the first one of `cutoff` or later; `null` when there is none. */
export async function findLastOldEntry(db: Executor, cutoff: Date): Promise<ChainPlace | null> {
  const [row] = await db.query<{ position: string; hash: Buffer }>(FIND_LAST_OLD, [cutoff]);
  return row ? { position: BigInt(row.position), hash: row.hash } : null;
}

/** Deletes at most `limit` entries up to a checkpoint's position. Returns how many. */
export async function deleteEntriesUpTo(
  tx: Executor,
  position: bigint,
  limit: number,
): Promise<number> {
  await tx.query(ALLOW_PRUNE);
  return (await tx.query(DELETE, [`${position}`, limit])).length;
}
