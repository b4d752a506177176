import pg from 'pg';
import { connectDatabase, type Database } from '../../service/src/database/database.ts';

/** The server's cost of a call: planning and running its statements, without network and commit. */
export interface Cost {
  readonly ms: number;
  /** Pages of 8 KiB that the statements read, from shared buffers or not. */
  readonly buffers: number;
}

/** A connection to a database that measures the cost of calls. */
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
 * Opens a connection to a database, and a connection to the database `postgres` that reads the
 * server's statistics of the first. They include triggers and foreign keys, which a plan omits.
 *
 * @throws Error on a server without pg_stat_statements; scripts/bench/run-bench.mjs has the
 * settings
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
