import type { SeededDatabase } from './seeded-database.ts';
import { recordAllDue } from './webhook-calls.ts';
import { insertRows, newRow, payRow } from './write-rows.ts';

/** The write-ahead log of a payment request, from its creation to its webhook. */
export interface LogVolume {
  readonly rows: number;
  readonly bytes: number;
  /** Whole pages in the log: the first change of a page after a checkpoint. */
  readonly fullPages: number;
}

const READ_LOG = {
  name: 'growth-read-log',
  text: `SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 AS bytes,
           (SELECT wal_fpi FROM pg_stat_wal)::float8 AS "fullPages"`,
};
const CHECKPOINT = { name: 'growth-checkpoint', text: 'CHECKPOINT' };
/** The payment requests of a measurement. */
const PAYMENT_REQUESTS = 500;

/**
 * Creates, pays and notifies payment requests, each in its own transactions, right after a
 * checkpoint: the largest log, as on a deployment with a few payment requests a minute.
 */
export async function measureLog({ probe: { db }, rows }: SeededDatabase): Promise<LogVolume> {
  type Log = Omit<LogVolume, 'rows'>;
  const readLog = async () => (await db.query<Log>(READ_LOG))[0] as Log;
  await db.query(CHECKPOINT);
  const before = await readLog();
  for (let n = 0; n < PAYMENT_REQUESTS; n += 1) {
    const [row = newRow()] = await insertRows(db, 1);
    await payRow(db, row);
    await recordAllDue(db);
  }
  const after = await readLog();
  return {
    rows,
    bytes: Math.round((after.bytes - before.bytes) / PAYMENT_REQUESTS),
    fullPages: (after.fullPages - before.fullPages) / PAYMENT_REQUESTS,
  };
}
