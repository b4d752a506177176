import type { Executor, Statement } from '#database/database.ts';

const FIND: Statement = {
  name: 'deployment-cell-find',
  text: 'SELECT cell FROM deployment',
};

/** Processes that start at once follow each other. */
const LOCK: Statement = {
  name: 'deployment-cell-lock',
  text: 'SELECT cell FROM deployment FOR UPDATE',
};

const RECORD: Statement = {
  name: 'deployment-cell-record',
  text: 'UPDATE deployment SET cell = $1',
};

const HAS_MERCHANTS: Statement = {
  name: 'deployment-cell-has-merchants',
  text: 'SELECT EXISTS (SELECT FROM merchants) AS found',
};

/** The cell of the database; null: none is recorded yet. */
export async function findRecordedCell(db: Executor): Promise<number | null> {
  return (await db.query<{ cell: number | null }>(FIND))[0]?.cell ?? null;
}

export async function lockRecordedCell(tx: Executor): Promise<number | null> {
  return (await tx.query<{ cell: number | null }>(LOCK))[0]?.cell ?? null;
}

export async function recordCell(tx: Executor, cell: number): Promise<void> {
  await tx.query(RECORD, [cell]);
}

/** Whether a name with the mark of a cell may be in use. */
export async function hasMerchants(tx: Executor): Promise<boolean> {
  return (await tx.query<{ found: boolean }>(HAS_MERCHANTS))[0]?.found ?? false;
}
