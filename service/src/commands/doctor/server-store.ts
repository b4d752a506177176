import type { Executor } from '#database/database.ts';

const READ_CLOCK = {
  name: 'doctor-read-clock',
  text: 'SELECT clock_timestamp() AS now',
};

/** The database's own time. */
export async function readDatabaseClock(db: Executor): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(READ_CLOCK);
  return row?.now ?? new Date(Number.NaN);
}
