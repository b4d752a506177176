import type { Executor, Statement } from '#database/database.ts';
import { execute } from '#database/statements.ts';
import type { Verification } from './verify-audit-log.ts';

const FIND: Statement = {
  name: 'audit-verification-find',
  text: `SELECT actor, started_at AS "startedAt", updated_at AS "updatedAt",
           start_position::text AS "startPosition", start_hash AS "startHash",
           head_position::text AS "headPosition", head_hash AS "headHash", entries, faults,
           fault_count AS "faultCount", is_complete AS "isComplete"
         FROM audit_verifications`,
};

/** How far the last verification on the console came. */
export interface StoredVerification extends Verification {
  readonly actor: string;
  readonly startedAt: Date;
  readonly updatedAt: Date;
}

export const saveVerification = execute(
  'audit-verification-save',
  `INSERT INTO audit_verifications (actor, started_at, updated_at, start_position, start_hash,
     head_position, head_hash, entries, faults, fault_count, is_complete)
   VALUES ($1, $2::timestamptz, greatest($2::timestamptz, $3::timestamptz),
     $4, $5, $6, $7, $8, $9, $10, $11)
   ON CONFLICT (only_row) DO UPDATE SET actor = excluded.actor,
     started_at = excluded.started_at, updated_at = excluded.updated_at,
     start_position = excluded.start_position, start_hash = excluded.start_hash,
     head_position = excluded.head_position, head_hash = excluded.head_hash,
     entries = excluded.entries, faults = excluded.faults,
     fault_count = excluded.fault_count, is_complete = excluded.is_complete`,
  ({
    actor,
    startedAt,
    updatedAt,
    start,
    head,
    entries,
    faults,
    faultCount,
    isComplete,
  }: StoredVerification) => [
    actor,
    startedAt,
    updatedAt,
    `${start.position}`,
    start.hash,
    `${head.position}`,
    head.hash,
    entries,
    faults,
    faultCount,
    isComplete,
  ],
);

/** The last verification on the console; null: there was none. */
export async function findVerification(db: Executor): Promise<StoredVerification | null> {
  type Row = Omit<StoredVerification, 'start' | 'head' | 'entries'> & {
    readonly startPosition: string;
    readonly startHash: Buffer;
    readonly headPosition: string;
    readonly headHash: Buffer;
    readonly entries: number | string;
  };
  const [row] = await db.query<Row>(FIND);
  if (!row) return null;
  const { startPosition, startHash, headPosition, headHash, entries, ...run } = row;
  return {
    ...run,
    entries: Number(entries),
    start: { position: BigInt(startPosition), hash: startHash },
    head: { position: BigInt(headPosition), hash: headHash },
  };
}
