import type { Database } from '../../service/src/database/database.ts';
import type { Cost } from './probe.ts';
import type { SeededDatabase } from './seeded-database.ts';

/** A call that the bench measures in both databases. */
export interface Call {
  readonly name: string;
  /** Makes the call once. @returns its cost, without the cost of its preparation */
  measure(seeded: SeededDatabase): Promise<Cost>;
}

/**
 * @param prepare writes and finds the rows that the call needs; not measured
 * @param run     the measured part; it receives the result of `prepare`
 */
export function call<Prepared>(
  name: string,
  prepare: (seeded: SeededDatabase) => Promise<Prepared>,
  run: (db: Database, prepared: Prepared) => Promise<unknown>,
): Call {
  return {
    name,
    async measure(seeded) {
      const prepared = await prepare(seeded);
      return seeded.probe.cost((db) => run(db, prepared));
    },
  };
}
