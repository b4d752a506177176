import { movePaymentRequest } from '../../service/src/payment-requests/status/change-status.ts';
import { create, moveDeps, newRow, type Subject } from './seeded-database.ts';
import { settleAll } from './webhook-calls.ts';

/** What one payment request writes to the log of the database, from its creation to its webhook. */
export interface LogOfALife {
  readonly rows: number;
  readonly bytes: number;
  /** Whole pages among them: a page's first change after a checkpoint. */
  readonly fullPages: number;
}

const READ_LOG = {
  name: 'growth-read-log',
  text: `SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 AS bytes,
           (SELECT wal_fpi FROM pg_stat_wal)::float8 AS "fullPages"`,
};
const CHECKPOINT = { name: 'growth-checkpoint', text: 'CHECKPOINT' };
const LIVES = 500;

/**
 * Lets payment requests be created, paid and told of, each in transactions of its own, right after
 * a checkpoint: the log's worst case, as it is where there are few a minute.
 */
export async function measureLog({ probe: { db }, rows }: Subject): Promise<LogOfALife> {
  type Log = Omit<LogOfALife, 'rows'>;
  const readLog = async () => (await db.query<Log>(READ_LOG))[0] as Log;
  await db.query(CHECKPOINT);
  const before = await readLog();
  for (let life = 0; life < LIVES; life += 1) {
    const [row = newRow()] = await create(db, 1);
    await movePaymentRequest(moveDeps(db), row.identity.id, {
      name: 'PAYMENT_SUCCEEDED',
      amountCents: row.asked.amountCents,
      institution: 'Maple Bank',
      networkReference: 'REF-1',
      completedAt: new Date(),
    });
    await settleAll(db);
  }
  const after = await readLog();
  return {
    rows,
    bytes: Math.round((after.bytes - before.bytes) / LIVES),
    fullPages: (after.fullPages - before.fullPages) / LIVES,
  };
}
