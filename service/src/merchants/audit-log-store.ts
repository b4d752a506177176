import type { DatabaseDeps, Executor } from '#database/database.ts';
import { allRows, execute, valuesOf } from '#database/statements.ts';
import type { AuditAction } from './audit-actions.ts';

export interface AuditEntry {
  /** The actor: an operator's name, or `api` for the merchant itself. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly merchantId: string | null;
  /** Names and dates only, never a secret. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
}

/**
 * Appends an entry to the audit log, in the transaction of its act. The database chains the entry
 * to the previous one. A writer holds the chain's end until its commit, so append last.
 */
export const insertAuditEntry = execute<[entry: AuditEntry]>(
  'audit-log-insert',
  `INSERT INTO audit_log (occurred_at, actor, action, merchant_id, details)
   VALUES ($1, $2, $3, $4, $5)`,
  valuesOf('occurredAt', 'actor', 'action', 'merchantId', 'details'),
);

/** The needs of an act that the audit log records. */
export interface AuditedDeps extends DatabaseDeps {
  /** The operator, for the audit log. */
  readonly actor: string;
}

/** Appends the entry of an act of now, as `insertAuditEntry`. */
export function recordAct(
  tx: Executor,
  { clock, actor }: Pick<AuditedDeps, 'clock' | 'actor'>,
  action: AuditAction,
  merchantId: string | null,
  details: AuditEntry['details'],
): Promise<void> {
  return insertAuditEntry(tx, { actor, action, merchantId, details, occurredAt: clock.now() });
}

/** An entry as the log has it. */
export interface StoredAuditEntry extends AuditEntry {
  /** The place in the chain. */
  readonly position: string;
}

/**
 * The newest entries whose details hold one of the members, as in `{ refundId }`; the newest first.
 *
 * The index of details finds the entries of each value. They are sorted after that: in the order of
 * the chain, a limit would make the planner read the whole log.
 */
export const findAuditEntriesAbout = allRows<
  StoredAuditEntry,
  [members: readonly Readonly<Record<string, unknown>>[], most: number]
>(
  'audit-log-find-about',
  `WITH about AS MATERIALIZED (
     SELECT l.position::text AS position, l.occurred_at AS "occurredAt", l.actor, l.action,
            l.merchant_id AS "merchantId", l.details, l.position AS place
     FROM unnest($1::text[]) AS asked (member)
     JOIN audit_log l ON l.details @> asked.member::jsonb)
   SELECT DISTINCT ON (place) position, "occurredAt", actor, action, "merchantId", details
   FROM about ORDER BY place DESC LIMIT $2`,
  (members, most) => [members.map((member) => JSON.stringify(member)), most],
);
