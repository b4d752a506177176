import { execute } from '#database/statements.ts';

/**
 * Bounds every later statement of the transaction.
 *
 * A gauge's statement takes milliseconds; the server ends a statement after a second.
 */
export const limitStatements = execute(
  'database-gauges-limit-statements',
  "SELECT set_config('statement_timeout', '1000', true)",
);
