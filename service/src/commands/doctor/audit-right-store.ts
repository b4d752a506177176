import type { Executor } from '#database/database.ts';

const CAN_REWRITE = {
  name: 'doctor-can-rewrite-audit-log',
  text: `
    WITH role AS (
      SELECT oid FROM pg_roles WHERE rolname IN ($1, current_user)
      ORDER BY rolname = $1 DESC NULLS LAST LIMIT 1)
    SELECT has_table_privilege(role.oid, 'audit_log', 'UPDATE')
        OR has_table_privilege(role.oid, 'audit_log', 'DELETE')
        OR has_table_privilege(role.oid, 'audit_log', 'TRUNCATE')
        OR has_table_privilege(role.oid, 'audit_log_head', 'UPDATE') AS "canRewrite"
    FROM role`,
};

/** Whether the service's role (that of this connection when `null`) may rewrite the audit log. */
export async function canRewriteAuditLog(db: Executor, role: string | null): Promise<boolean> {
  return (await db.query<{ canRewrite: boolean }>(CAN_REWRITE, [role]))[0]?.canRewrite ?? true;
}
