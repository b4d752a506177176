import type { Executor, Statement } from '#database/database.ts';

const SET: Statement = {
  name: 'merchant-set-refunds-per-day',
  text: 'UPDATE merchants SET refunds_per_day_cents = $2 WHERE id = $1',
};

const FIND: Statement = {
  name: 'merchant-find-refunds-per-day',
  text: 'SELECT refunds_per_day_cents AS cents FROM merchants WHERE id = $1',
};

/** Sets a merchant's limit of refunds in a day, in cents; 0: refunds are off. */
export async function setRefundsPerDay(tx: Executor, id: string, cents: number): Promise<void> {
  await tx.query(SET, [id, cents]);
}

/** A merchant's limit of refunds in a day, in cents; 0 also for an unknown merchant. */
export async function findRefundsPerDay(executor: Executor, id: string): Promise<number> {
  const [row] = await executor.query<{ cents: number }>(FIND, [id]);
  return row?.cents ?? 0;
}
