import type pg from 'pg';

/** RUNTIME_ROLE cannot get the rights that the service needs, or is not apart from the owner. */
export class RuntimeRoleFault extends Error {
  override name = 'RuntimeRoleFault';
}

/** Tables that only migrations or an owner's command write. */
export const READ_ONLY = [
  'schema_migrations',
  'schema_compatibility',
  'payment_request_transitions',
  'audit_log_head',
  'audit_checkpoints',
];

/**
 * Refuses to migrate as the runtime role, whose missing rights would fail somewhere in the middle.
 * @throws RuntimeRoleFault
 */
export async function refuseRuntimeRole(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query('SELECT current_user AS name');
  if (rows[0].name !== role) return;
  throw new RuntimeRoleFault(
    `The connection is that of RUNTIME_ROLE ("${role}"), which may not change the schema. Run ` +
      'payreq migrate with the DATABASE_URL of the owner, and payreq serve --no-migrate.',
  );
}

/**
 * Gives the service's own role only the rights that the service needs: rows of its tables, and for
 * the audit log only reading and appending. Safe to repeat. In one transaction, so that a running
 * service never lacks a right.
 *
 * @throws RuntimeRoleFault when the role does not exist, or could do all that the owner can
 */
export async function grantRuntimeRole(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT quote_ident(rolname) AS quoted, quote_ident(current_schema()) AS schema,
            rolsuper OR pg_has_role(oid, current_user, 'MEMBER') AS "isOwner"
     FROM pg_roles WHERE rolname = $1`,
    [role],
  );
  const [found] = rows;
  if (!found) {
    throw new RuntimeRoleFault(
      `RUNTIME_ROLE names "${role}", which the database server does not know. Create it first: ` +
        `CREATE ROLE "${role}" LOGIN PASSWORD '…'.`,
    );
  }
  if (found.isOwner) {
    throw new RuntimeRoleFault(
      `RUNTIME_ROLE names "${role}", which may do all that the owner of the tables may: choose a ` +
        'role that is no superuser and no member of the owner.',
    );
  }
  const { quoted, schema } = found;
  const tables = `ALL TABLES IN SCHEMA ${schema}`;
  const readOnly = READ_ONLY.map((table) => `${schema}.${table}`).join(', ');
  await client.query(`
    BEGIN;
    GRANT USAGE ON SCHEMA ${schema} TO ${quoted};
    REVOKE ALL ON ${tables} FROM ${quoted};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables} TO ${quoted};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${quoted};
    REVOKE INSERT, UPDATE, DELETE ON ${readOnly} FROM ${quoted};
    REVOKE UPDATE, DELETE ON ${schema}.audit_log FROM ${quoted};
    -- A rotation of SECRETS_KEY signs anew. Only the holder of the key can make a good signature.
    GRANT UPDATE (signature) ON ${schema}.audit_checkpoints TO ${quoted};
    COMMIT`);
}
