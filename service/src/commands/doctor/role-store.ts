import { READ_ONLY } from '#database/schema/grant-runtime-role.ts';
import schema from '#database/schema/schema.json' with { type: 'json' };
import { oneRow } from '#database/statements.ts';

/** The tables and views of this version. */
const TABLES = Object.keys(schema).flatMap((key) => /^table (.*)$/.exec(key)?.[1] ?? []);

export interface RoleRights {
  readonly role: string;
  readonly isSuperuser: boolean;
  /** It owns a table itself. */
  readonly isOwner: boolean;
  /** Owners of tables that the role may become. */
  readonly memberOf: readonly string[];
  /** Rights to change the audit log, as in `DELETE on audit_log`. */
  readonly rewrites: readonly string[];
  /** Rights that the service needs and the role has not, as in `SELECT on merchants`. */
  readonly lacks: readonly string[];
}

/**
 * The rights of the service's role; `null`: of the role of this connection.
 *
 * A member may become the owner by SET ROLE, also without inheriting its rights. The rights that
 * the role should have are those that `payreq migrate` grants.
 */
export const readRoleRights = oneRow<RoleRights, [role: string | null]>(
  'doctor-read-role-rights',
  `
   WITH role AS (
     SELECT oid, rolname, rolsuper FROM pg_roles WHERE rolname IN ($1, current_user)
     ORDER BY rolname = $1 DESC NULLS LAST LIMIT 1
   ), tables AS (
     SELECT oid, relname::text AS name, relowner FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($2::text[])
   ), rights AS (
     SELECT t.name, r.name AS right_name, has_table_privilege(role.oid, t.oid, r.name) AS is_held,
            r.name = 'SELECT' OR t.name <> ALL ($3::text[])
              AND (t.name <> 'audit_log' OR r.name = 'INSERT') AS is_needed
     FROM role, tables t, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS r (name)
   )
   SELECT role.rolname AS role, role.rolsuper AS "isSuperuser",
          EXISTS (SELECT FROM tables WHERE relowner = role.oid) AS "isOwner",
          array(SELECT DISTINCT pg_get_userbyid(relowner)::text FROM tables
                WHERE relowner <> role.oid AND pg_has_role(role.oid, relowner, 'MEMBER')
                ORDER BY 1) AS "memberOf",
          array(SELECT right_name || ' on ' || name FROM rights
                WHERE is_held AND right_name <> 'INSERT' AND right_name <> 'SELECT'
                  AND name IN ('audit_log', 'audit_log_head')
                UNION
                SELECT 'TRUNCATE on ' || name FROM tables
                WHERE name IN ('audit_log', 'audit_log_head')
                  AND has_table_privilege(role.oid, oid, 'TRUNCATE')
                ORDER BY 1) AS rewrites,
          array(SELECT right_name || ' on ' || name FROM rights
                WHERE is_needed AND NOT is_held ORDER BY 1) AS lacks
   FROM role`,
  'the database gave no role',
  (role) => [role, TABLES, READ_ONLY],
);
