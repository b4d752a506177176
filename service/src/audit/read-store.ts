import { containing } from '#database/containing.ts';
import type { Executor } from '#database/database.ts';
import { allRows, firstValue } from '#database/statements.ts';
import type { ChainedEntry } from './entry-hash.ts';

/** An owner of the table can plant an infinite instant: such an entry is a fault, not the end. */
const COLUMNS = `position::text, id::text,
    CASE WHEN isfinite(occurred_at) THEN (extract(epoch from occurred_at) * 1000000)::bigint::text
      ELSE occurred_at::text END AS "occurredAtMicros",
    occurred_at AS "occurredAt", actor, action, merchant_id AS "merchantId",
    details::text AS details, hash`;

const HEAD = {
  name: 'audit-head',
  text: `SELECT position::text, hash FROM audit_log_head`,
};

const HASHES_AT = {
  name: 'audit-hashes-at',
  text: 'SELECT position::text, hash FROM audit_log WHERE position = ANY ($1::bigint[])',
};

export interface StoredEntry extends ChainedEntry {
  readonly occurredAt: Date;
  readonly hash: Buffer;
}

/** A place of the chain. */
export interface ChainPlace {
  /** 0: before the first entry. */
  readonly position: bigint;
  readonly hash: Buffer;
}

/**
 * The next entries in the order of the chain, after a position and an id.
 *
 * Ordered by the columns, not by their texts of the same name. Also entries that share a position,
 * which a dropped constraint would allow.
 */
export const pageOfAudit = allRows<
  StoredEntry,
  [after: { readonly position: string; readonly id: string }, limit: number]
>(
  'audit-page',
  `SELECT ${COLUMNS} FROM audit_log
   WHERE (position, id) > ($1::bigint, $2::bigint)
   ORDER BY audit_log.position, audit_log.id LIMIT $3`,
  (after, limit) => [after.position, after.id, limit],
);

/** The next entries about a merchant, after a position. */
export const pageOfMerchantAudit = allRows<
  StoredEntry,
  [merchantId: string, after: string, limit: number]
>(
  'audit-page-of-merchant',
  `SELECT ${COLUMNS} FROM audit_log
   WHERE merchant_id = $1 AND position > $2::bigint
   ORDER BY audit_log.position LIMIT $3`,
);

export interface AuditFilter {
  /** Entries before this position, to read on. */
  readonly before: string | null;
  readonly merchantId: string | null;
  readonly action: string | null;
  /** A part of the actor's name, in any case. */
  readonly actor: string | null;
  readonly since: Date | null;
  readonly until: Date | null;
  readonly limit: number;
}

/** The latest entries that match, the newest first; planned for its values each time. */
export const listAudit = allRows<StoredEntry, [filter: AuditFilter]>(
  '',
  `SELECT ${COLUMNS} FROM audit_log
   WHERE ($1::bigint IS NULL OR position < $1)
     AND ($2::text IS NULL OR merchant_id = $2) AND ($3::text IS NULL OR action = $3)
     AND ($4::text IS NULL OR lower(actor) LIKE lower($4))
     AND ($5::timestamptz IS NULL OR occurred_at >= $5)
     AND ($6::timestamptz IS NULL OR occurred_at < $6)
   ORDER BY audit_log.position DESC LIMIT $7`,
  ({ before, merchantId, action, actor, since, until, limit }) => {
    const pattern = actor && containing(actor);
    return [before, merchantId, action, pattern, since, until, limit];
  },
);

/** The position of a merchant's entry, by its hash; null: the merchant has no such entry. */
export const findAuditPosition = firstValue<string | null, [merchantId: string, hash: Buffer]>(
  'audit-find-position',
  `SELECT position::text FROM audit_log WHERE merchant_id = $1 AND hash = $2`,
  null,
);

/** The end of the chain as the database keeps it; `null` when its row is gone. */
export async function findAuditHead(db: Executor): Promise<ChainPlace | null> {
  const [row] = await db.query<{ position: string; hash: Buffer }>(HEAD);
  return row ? { position: BigInt(row.position), hash: row.hash } : null;
}

/** The hashes of the entries at these positions, as far as the log has them. */
export async function findAuditHashes(
  db: Executor,
  positions: readonly number[],
): Promise<ReadonlyMap<number, Buffer>> {
  const rows = await db.query<{ position: string; hash: Buffer }>(HASHES_AT, [positions]);
  return new Map(rows.map(({ position, hash }) => [Number(position), hash]));
}

/** How many entries stand at a position or before it. */
export const countAuditUpTo = firstValue<number, [position: bigint]>(
  'audit-count-before',
  'SELECT count(*) AS count FROM audit_log WHERE position <= $1::bigint',
  0,
  (position) => [`${position}`],
);
