import { firstValue } from '#database/statements.ts';

/**
 * The corrected booking that has taken the place of a movement, by their network references.
 *
 * Reads the index operator_cases_of_replaced.
 */
export const findReplacing = firstValue<string | null, [reference: string]>(
  'network-money-find-replacing',
  `SELECT details ->> 'networkReference' AS reference FROM operator_cases
   WHERE settlement = 'REPLACED' AND details -> 'correctedReferences' ? $1
   ORDER BY closed_at DESC, id DESC LIMIT 1`,
  null,
);
