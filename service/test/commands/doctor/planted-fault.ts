import type { CheckDeps } from '../../../src/commands/doctor/verdict.ts';

/** A planted fault, and the checks that must find it; no other check may fail. */
export interface PlantedFault {
  readonly fault: string;
  readonly found: readonly string[];
  /** The checks warn; the deployment works. */
  readonly isWarning?: true;
  readonly says: RegExp;
  /** Statements; `{paid}` and so on stand for the id of a payment request. */
  readonly plant?: string;
  /** Other settings than the deployment's. */
  readonly needs?: Partial<CheckDeps>;
}

/** Constraints and triggers are off: the fault comes from a damaged file, or a person at the SQL. */
export const UNGUARDED = 'SET session_replication_role = replica;';
