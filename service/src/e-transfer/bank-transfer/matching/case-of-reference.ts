/**
 * The id of the latest case about a movement, as SQL; null: there is none.
 * @param reference the movement's, as SQL
 */
export const caseOfReference = (reference: string) => `(SELECT c.id::text FROM operator_cases c
  WHERE c.details ->> 'networkReference' = ${reference}
  ORDER BY c.opened_at DESC LIMIT 1)`;
