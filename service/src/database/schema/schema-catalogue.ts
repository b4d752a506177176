import type { Executor, Statement } from '#database/database.ts';

/**
 * The schema by the database's own catalogue: one entry an object, as in
 * `index webhook_deliveries_due`, with its definition.
 */
export type SchemaCatalogue = Readonly<Record<string, string>>;

/**
 * Gives the same text on PostgreSQL 15 to 18. The column tells NOT NULL, because only 18 has named
 * constraints for it. The schema's name is left out: a deployment chooses its own. The migration
 * tool's table is not ours. `service_now` is compared without its body, which tests and rehearsals
 * replace to move the clock.
 */
const READ_CATALOGUE: Statement = {
  name: 'schema-catalogue-read',
  text: `
    WITH ours AS (
      SELECT oid, relname, relkind, relpersistence FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace
        AND relname NOT LIKE 'schema\\_migrations%'
    ), objects AS (
      SELECT 'table ' || relname AS key,
             CASE WHEN relkind = 'v' THEN 'view' WHEN relpersistence = 'u' THEN 'unlogged'
                  ELSE 'logged' END AS definition
      FROM ours WHERE relkind IN ('r', 'p', 'v')
      UNION ALL
      SELECT 'sequence ' || t.relname, format_type(s.seqtypid, NULL) ||
             CASE WHEN s.seqcycle THEN ' cycle' ELSE '' END
      FROM ours t JOIN pg_sequence s ON s.seqrelid = t.oid
      UNION ALL
      SELECT 'column ' || t.relname || '.' || a.attname,
             format_type(a.atttypid, a.atttypmod)
             || CASE WHEN a.attcollation <> y.typcollation THEN ' collate ' || c.collname
                     ELSE '' END
             || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
             || CASE a.attidentity WHEN '' THEN '' ELSE ' identity ' || a.attidentity::text END
             || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
      FROM ours t
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_type y ON y.oid = a.atttypid
      LEFT JOIN pg_collation c ON c.oid = a.attcollation
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE t.relkind IN ('r', 'p', 'v')
      UNION ALL
      SELECT 'index ' || t.relname, pg_get_indexdef(t.oid)
             || CASE WHEN i.indisvalid AND i.indisready THEN '' ELSE ' invalid' END
      FROM ours t JOIN pg_index i ON i.indexrelid = t.oid
      WHERE EXISTS (SELECT FROM ours WHERE ours.oid = i.indrelid)
      UNION ALL
      SELECT 'constraint ' || t.relname || '.' || c.conname, pg_get_constraintdef(c.oid)
      FROM ours t JOIN pg_constraint c ON c.conrelid = t.oid
      WHERE c.contype IN ('p', 'u', 'f', 'c', 'x')
      UNION ALL
      SELECT 'trigger ' || t.relname || '.' || g.tgname, pg_get_triggerdef(g.oid)
             || CASE WHEN g.tgenabled IN ('O', 'A') THEN '' ELSE ' disabled' END
      FROM ours t JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
      UNION ALL
      SELECT 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
             'returns ' || pg_get_function_result(p.oid) || ' ' || p.provolatile::text
             || CASE WHEN p.prosecdef THEN ' security definer' ELSE '' END
             || coalesce(' set ' || array_to_string(p.proconfig, ', '), '')
             || CASE p.proname WHEN 'service_now' THEN '' ELSE
                  ' body ' || left(encode(sha256(convert_to(p.prosrc, 'UTF8')), 'hex'), 16) END
      FROM pg_proc p
      WHERE p.pronamespace = current_schema()::regnamespace
        AND NOT EXISTS (
          SELECT FROM pg_depend e WHERE e.objid = p.oid AND e.deptype = 'e'
            AND e.classid = 'pg_proc'::regclass)
    )
    SELECT key, regexp_replace(definition, $pattern$\\m"?$pattern$ || current_schema()
                  || $pattern$"?(\\.|(?=,| |$))$pattern$, '', 'g') AS definition
    FROM objects ORDER BY key COLLATE "C"`,
};

/** The catalogue of the schema in which the connection finds its tables. */
export async function readSchema(db: Executor): Promise<SchemaCatalogue> {
  const rows = await db.query<{ key: string; definition: string }>(READ_CATALOGUE);
  return Object.fromEntries(rows.map(({ key, definition }) => [key, definition]));
}

/** An operator's additions (an index, a view, a monitoring table) are no difference. Pure. */
export function compareSchema(expected: SchemaCatalogue, found: SchemaCatalogue) {
  const missing: string[] = [];
  const different: string[] = [];
  for (const [key, definition] of Object.entries(expected)) {
    if (!(key in found)) missing.push(key);
    else if (found[key] !== definition) different.push(key);
  }
  return { missing, different };
}
