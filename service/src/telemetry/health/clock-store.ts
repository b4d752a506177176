import type { Executor, Statement } from '#database/database.ts';

const READ_NOW: Statement = {
  name: 'clock-read-now',
  text: 'SELECT (extract(epoch FROM service_now()) * 1000)::float8 AS "nowMs"',
};

/** The database's time in milliseconds since 1970. */
export async function readDatabaseNowMs(db: Executor): Promise<number> {
  const [row] = await db.query<{ nowMs: number }>(READ_NOW);
  if (!row) throw new Error('service_now() gave no row');
  return row.nowMs;
}
