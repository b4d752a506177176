import type { Executor, Statement } from '#database/database.ts';

/**
 * A committed write that changes nothing: a standby refuses it, and a rolled-back write would not
 * wait for the disk. The write fits into the row's page, so that a full disk does not refuse it.
 * `recent-answers` counts the calls that a full disk refuses.
 */
const PROVE_WRITABLE: Statement = {
  name: 'health-prove-writable',
  text: 'UPDATE deployment SET environment = environment RETURNING environment',
};

/** @returns whether the write found this service's own row: false before the first migration. */
export async function proveWritable(executor: Executor): Promise<boolean> {
  const rows = await executor.query(PROVE_WRITABLE);
  return rows.length === 1;
}
