/** The two environments; a deployment has exactly one, and the two share nothing (contract §1). */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Production keeps payment requests for at least so many years (contract §10). */
export const LEAST_YEARS = 7;

/** The database deletes no entry of the ledger that is younger, in any environment (0063). */
const LEAST_YEARS_OF_SANDBOX = 1;

/** The shortest retention of an environment: the money of a sandbox stands in no one's books. */
export function leastYearsOf(environment: Environment): number {
  return environment === 'production' ? LEAST_YEARS : LEAST_YEARS_OF_SANDBOX;
}
