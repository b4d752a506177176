import type { Executor, Statement } from '#database/database.ts';

/** A gauge's statement takes milliseconds; the server ends a statement after a second. */
const LIMIT_STATEMENTS: Statement = {
  name: 'database-gauges-limit-statements',
  text: "SELECT set_config('statement_timeout', '1000', true)",
};

/** Bounds every later statement of the transaction. */
export async function limitStatements(tx: Executor): Promise<void> {
  await tx.query(LIMIT_STATEMENTS);
}
