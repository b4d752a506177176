import type { TestDatabase } from '../database.ts';

/** Rows about people's acts, which outlive the erasure of a payer. */
const KEPT = `
  SELECT 'the audit log' AS place, details::text AS text FROM audit_log
  UNION ALL SELECT 'a proposal', proposals::text FROM proposals
  UNION ALL SELECT 'a saved view', query FROM console_saved_views`;

export interface KeptText {
  readonly place: string;
  readonly text: string;
}

/** The texts that the database keeps about acts of people, read at once. */
export function readKeptTexts({ sql }: Pick<TestDatabase, 'sql'>): Promise<KeptText[]> {
  return sql<KeptText>(KEPT);
}
