import { type CheckDeps, examplesOf, fault, fine, type Verdict } from '../verdict.ts';
import { findWithoutVacuum } from './vacuum-store.ts';

/** Without autovacuum, tables grow, plans grow old, and the server stops at a wraparound. */
export async function checkVacuum({ db }: CheckDeps): Promise<Verdict> {
  const names = await findWithoutVacuum(db);
  if (names.length === 0) return fine('Autovacuum is on, for every table.');
  return fault(
    `Autovacuum is off by ${examplesOf(names)}: set it on, see docs/operations/database.md.`,
  );
}
