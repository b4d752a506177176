import type { Executor, Statement } from '#database/database.ts';

/**
 * A committed write that changes nothing. A read would succeed on a standby and on a full disk; a
 * write that is rolled back never waits for its commit to reach the disk.
 */
const PROVE_WRITABLE: Statement = {
  name: 'health-prove-writable',
  text: 'UPDATE deployment SET environment = environment RETURNING environment',
};

/** @returns whether the write reached this service's own row: false before the first migration. */
export async function proveWritable(executor: Executor): Promise<boolean> {
  const rows = await executor.query(PROVE_WRITABLE);
  return rows.length === 1;
}
