import pg from 'pg';

export interface Sizes {
  readonly rows: number;
  readonly tables: readonly TableSize[];
  /** Lines for a reader. */
  readonly text: string;
}

/** Bytes for each payment request of the database. */
interface TableSize {
  readonly name: string;
  readonly table: number;
  readonly indexes: number;
}

/** Reads the disk space of tables and indexes for each payment request. */
export async function describeSizes(databaseUrl: string, rows: number): Promise<Sizes> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<TableSize>(
      `SELECT relname AS name, (pg_table_size(relid) / $1::float8)::int AS table,
         (pg_indexes_size(relid) / $1::float8)::int AS indexes
       FROM pg_stat_user_tables WHERE schemaname = 'public'
       ORDER BY pg_total_relation_size(relid) DESC LIMIT 8`,
      [rows],
    );
    const total = tables.reduce((sum, size) => sum + size.table + size.indexes, 0);
    const lines = tables.map(
      (size) => `  ${size.name.padEnd(26)} ${size.table} B, indexes ${size.indexes} B`,
    );
    const text = [`${rows} payment requests, ${total} B each:`, ...lines].join('\n');
    return { rows, tables, text };
  } finally {
    await client.end();
  }
}
