/** The two environments; one deployment is one of them, and they share nothing (contract §1). */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
