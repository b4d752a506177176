import pg from 'pg';
import { connectDatabase, type Database } from '../../service/src/database/database.ts';

/** What a call cost the server: its statements' planning and running, without network and commit. */
export interface Cost {
  readonly ms: number;
  /** Pages of 8 KiB that were looked at, found in shared buffers or not. */
  readonly buffers: number;
}

/** One database that calls are measured on. */
export interface Probe {
  readonly db: Database;
  cost(call: (db: Database) => Promise<unknown>): Promise<Cost>;
  close(): Promise<void>;
}

const READ_TOTALS = {
  name: 'growth-read-totals',
  text: `SELECT coalesce(sum(total_plan_time + total_exec_time), 0)::float8 AS ms,
           coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 AS buffers
         FROM pg_stat_statements(false)
         WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1)`,
};

/**
 * Opens a database with one connection, and another one to the database `postgres`, which reads
 * what the server counts for the first: with triggers and foreign keys, which a plan leaves out.
 *
 * @throws where the server was started without pg_stat_statements; its settings are run-bench.mjs's
 */
export async function openProbe(databaseUrl: string): Promise<Probe> {
  const url = new URL(databaseUrl);
  const name = decodeURIComponent(url.pathname.slice(1));
  url.pathname = '/postgres';
  const reader = new pg.Client({ connectionString: url.href });
  await reader.connect();
  await reader.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await reader.query(
    'SELECT pg_stat_statements_reset(0, oid) FROM pg_database WHERE datname = $1',
    [name],
  );
  const db = connectDatabase({ url: databaseUrl, poolSize: 1, applicationName: 'growth' });
  const totals = async (): Promise<Cost> =>
    (await reader.query<Cost>({ ...READ_TOTALS, values: [name] })).rows[0] as Cost;
  return {
    db,
    async cost(call) {
      const before = await totals();
      await call(db);
      const after = await totals();
      return { ms: after.ms - before.ms, buffers: after.buffers - before.buffers };
    },
    async close() {
      await db.close();
      await reader.end();
    },
  };
}
