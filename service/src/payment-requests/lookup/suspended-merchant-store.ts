import type { Executor, Statement } from '#database/database.ts';

const FIND: Statement = {
  name: 'merchant-find-suspended',
  text: `SELECT id FROM merchants WHERE status = 'SUSPENDED' AND id = ANY ($1::text[])`,
};

/** Those of the merchants whose open payment requests cannot be paid (contract §4). */
export async function findSuspendedMerchants(
  tx: Executor,
  merchantIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (merchantIds.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(FIND, [merchantIds]);
  return new Set(rows.map(({ id }) => id));
}
