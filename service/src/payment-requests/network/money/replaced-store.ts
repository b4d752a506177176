import type { Executor, Statement } from '#database/database.ts';

/** Reads the index operator_cases_of_replaced. */
const FIND: Statement = {
  name: 'network-money-find-replacing',
  text: `SELECT details ->> 'networkReference' AS reference FROM operator_cases
         WHERE settlement = 'REPLACED' AND details -> 'correctedReferences' ? $1
         ORDER BY closed_at DESC, id DESC LIMIT 1`,
};

/** The corrected booking that has taken the place of a movement, by their network references. */
export async function findReplacing(db: Executor, reference: string): Promise<string | null> {
  return (await db.query<{ reference: string }>(FIND, [reference]))[0]?.reference ?? null;
}
