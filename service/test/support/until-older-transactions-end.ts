import type { TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';

/**
 * Waits until every transaction that runs at the call has ended, also in other databases of the
 * server. The feed, the ledger and the sums of days end before the oldest of them (decision 0017),
 * so that a test may read there what it wrote before.
 */
export async function untilOlderTransactionsEnd({ sql }: TestDatabase): Promise<void> {
  const [now] = await sql<{ next: string }>(
    'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next',
  );
  await eventually(async () => {
    const [row] = await sql<{ haveEnded: boolean }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS "haveEnded"',
      [now?.next],
    );
    return row?.haveEnded;
  }, 'the end of older transactions');
}
