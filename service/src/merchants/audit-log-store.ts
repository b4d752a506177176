import type { Executor } from '#database/database.ts';

const INSERT = {
  name: 'audit-log-insert',
  text: `INSERT INTO audit_log (occurred_at, actor, action, merchant_id, details)
         VALUES ($1, $2, $3, $4, $5)`,
};

/** Every act on access and destinations that the audit log records (contract §10). */
export type AuditAction =
  | 'MERCHANT_CREATED'
  | 'MERCHANT_SUSPENDED'
  | 'MERCHANT_RESUMED'
  | 'MERCHANT_LIMITS_CHANGED'
  | 'MERCHANT_PROFILE_CHANGED'
  | 'MERCHANT_ACCOUNT_CHANGED'
  | 'MERCHANT_ACCOUNT_CLOSED'
  | 'MERCHANT_NOTICES_CHANGED'
  | 'CREDENTIALS_CREATED'
  | 'CREDENTIALS_ROTATED'
  | 'CREDENTIALS_REVOKED'
  | 'API_KEY_REVOKED'
  | 'LISTENER_CREDENTIALS_SHOWN'
  | 'LISTENER_CREDENTIALS_ROTATED'
  | 'WEBHOOK_ENDPOINT_CREATED'
  | 'WEBHOOK_ENDPOINT_CHANGED'
  | 'WEBHOOK_ORIGINS_CHANGED'
  | 'RETURN_ORIGINS_CHANGED'
  | 'WEBHOOK_ENDPOINT_DELETED'
  | 'WEBHOOK_SECRET_ROTATED'
  | 'WEBHOOK_SECRETS_SHOWN'
  | 'WEBHOOK_TEST_SENT'
  | 'WEBHOOK_REPLAY_STARTED'
  | 'OPERATOR_CASE_CLOSED'
  | 'OPERATOR_CASE_SETTLED'
  | 'BANK_REFUND_FILE_WRITTEN'
  | 'PAYER_ERASED'
  | 'PAYER_ERASURE_WAITING'
  | 'PAYMENT_REQUEST_CREATED'
  | 'PAYMENT_REQUEST_CANCELLED'
  | 'OUTCOME_SIMULATED'
  | 'WEBHOOK_REDELIVERED'
  | 'REFUND_CREATED'
  | 'REFUND_FAILED'
  | 'PROPOSAL_MADE'
  | 'PROPOSAL_APPROVED'
  | 'PROPOSAL_DECLINED'
  | 'PROPOSAL_WITHDRAWN'
  | 'PROPOSAL_EXPIRED'
  | 'PROPOSAL_EXECUTED'
  | 'PROPOSAL_FAILED'
  | 'APPROVALS_CHANGED'
  | 'AUDIT_LOG_PRUNED'
  | 'RETENTION_PRUNED'
  | 'BANK_DEMO_MARKED'
  | 'DEPLOYMENT_CELL_CHANGED'
  | 'DEPLOYMENT_MONEY_CHANGED'
  | 'SIGNING_KEY_CREATED'
  | 'SIGNING_KEY_REMOVED'
  | 'SECRETS_REWRAPPED'
  | 'RESTORE_NOTICED'
  | 'RESTORE_RELEASED'
  | 'CONSOLE_LINK_CREATED'
  | 'CONSOLE_SIGNED_IN'
  | 'CONSOLE_SIGN_IN_REFUSED'
  | 'CONSOLE_SIGNED_OUT'
  | 'CONSOLE_SESSIONS_ENDED';

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
export async function insertAuditEntry(tx: Executor, entry: AuditEntry): Promise<void> {
  await tx.query(INSERT, [
    entry.occurredAt,
    entry.actor,
    entry.action,
    entry.merchantId,
    entry.details,
  ]);
}

/**
 * The index of details finds the entries of each value. They are sorted after that: in the order of
 * the chain, a limit would make the planner read the whole log.
 */
const FIND_ABOUT = {
  name: 'audit-log-find-about',
  text: `WITH about AS MATERIALIZED (
      SELECT l.position::text AS position, l.occurred_at AS "occurredAt", l.actor, l.action,
             l.merchant_id AS "merchantId", l.details, l.position AS place
      FROM unnest($1::text[]) AS asked (member)
      JOIN audit_log l ON l.details @> asked.member::jsonb)
    SELECT DISTINCT ON (place) position, "occurredAt", actor, action, "merchantId", details
    FROM about ORDER BY place DESC LIMIT $2`,
};

/** An entry as the log has it. */
export interface StoredAuditEntry extends AuditEntry {
  /** The place in the chain. */
  readonly position: string;
}

/**
 * The newest entries whose details hold one of the members, as in `{ refundId }`; the newest first.
 */
export function findAuditEntriesAbout(
  db: Executor,
  members: readonly Readonly<Record<string, unknown>>[],
  most: number,
): Promise<StoredAuditEntry[]> {
  return db.query<StoredAuditEntry>(FIND_ABOUT, [
    members.map((member) => JSON.stringify(member)),
    most,
  ]);
}
