import type { Executor } from '#database/database.ts';
import { allRows } from '#database/statements.ts';

/** A foreign key; names are quoted for SQL. */
export interface Reference {
  readonly child: string;
  readonly parent: string;
  readonly childColumns: readonly string[];
  readonly parentColumns: readonly string[];
  /** A row of the child's table, at this moment. */
  readonly pages: number;
}

/** The foreign keys that the database has. */
export const listReferences = allRows<Reference>(
  'doctor-list-references',
  `SELECT quote_ident(child.relname) AS child, quote_ident(parent.relname) AS parent,
          array(SELECT quote_ident(a.attname) FROM unnest(c.conkey) WITH ORDINALITY AS k (n, nth)
                JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.n
                ORDER BY k.nth)::text[] AS "childColumns",
          array(SELECT quote_ident(a.attname) FROM unnest(c.confkey) WITH ORDINALITY AS k (n, nth)
                JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.n
                ORDER BY k.nth)::text[] AS "parentColumns",
          (pg_relation_size(child.oid) / current_setting('block_size')::int)::int AS pages
   FROM pg_constraint c
   JOIN pg_class child ON child.oid = c.conrelid
   JOIN pg_class parent ON parent.oid = c.confrelid
   WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace
   ORDER BY 1, c.conname`,
);

export interface Dangling {
  readonly rows: number;
  /** How many name a row that is not there. */
  readonly count: number;
  /** A few of the missing keys; `null` when there is none. */
  readonly examples: readonly string[] | null;
}

/**
 * Rows of a range of the child's pages that name a parent that is not there. The look into the
 * parent is a scalar subquery with a LIMIT, so that it stays one look into an index for each row,
 * whatever the planner believes of the sizes.
 */
export async function findDangling(
  db: Executor,
  reference: Reference,
  firstPage: number,
  pages: number,
): Promise<Dangling> {
  const { child, parent, childColumns, parentColumns } = reference;
  const key = childColumns.map((column) => `c.${column}`);
  const matches = parentColumns.map((column, index) => `p.${column} = ${key[index]}`);
  const text = `
    SELECT count(*) AS rows, count(*) FILTER (WHERE lost) AS count,
           (array_agg(key) FILTER (WHERE lost))[1:5] AS examples
    FROM (SELECT concat_ws(' ', ${key.join(', ')}) AS key,
                 (SELECT 1 FROM ${parent} p WHERE ${matches.join(' AND ')} LIMIT 1) IS NULL AS lost
          FROM ${child} c
          WHERE c.ctid >= $1::text::tid AND c.ctid < $2::text::tid
            AND ${key.map((column) => `${column} IS NOT NULL`).join(' AND ')}) looked`;
  const values = [`(${firstPage},0)`, `(${firstPage + pages},0)`];
  const [row] = await db.query<Dangling>({ name: '', text }, values);
  return row ?? { rows: 0, count: 0, examples: null };
}
