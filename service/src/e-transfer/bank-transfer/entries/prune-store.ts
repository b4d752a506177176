import type { Executor } from '#database/database.ts';

/** Entries of other people's money are listed for 30 days (bank-transfer §4). */
const PRUNE = {
  name: 'bank-entries-prune',
  text: `DELETE FROM bank_entries WHERE id IN (
           SELECT id FROM bank_entries
           WHERE outcome IN ('ORDINARY', 'BATCH_SUM')
             AND matched_at < service_now() - interval '30 days' LIMIT 1000)`,
};

export async function pruneEntries(db: Executor): Promise<void> {
  await db.query(PRUNE);
}
