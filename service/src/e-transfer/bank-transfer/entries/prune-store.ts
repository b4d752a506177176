import { execute } from '#database/statements.ts';

/** Entries of other people's money are listed for 30 days (bank-transfer §4). */
export const pruneEntries = execute(
  'bank-entries-prune',
  `DELETE FROM bank_entries WHERE id IN (
     SELECT id FROM bank_entries
     WHERE outcome IN ('ORDINARY', 'BATCH_SUM')
       AND matched_at < service_now() - interval '30 days' LIMIT 1000)`,
);
