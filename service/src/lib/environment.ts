/** The two environments; a deployment has exactly one, and the two share nothing (contract §1). */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
