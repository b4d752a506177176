import { DatabaseUnavailable, type Executor } from '#database/database.ts';
import { type DoctorRun, findDoctorRun, saveDoctorRun } from './last-run-store.ts';

/** A name of an account that is longer is cut. */
const LONGEST_ACTOR = 200;

/**
 * Keeps a run of `payreq doctor` for the console, in place of the one before.
 *
 * @returns null, or why the run could not be kept: the doctor also examines databases that refuse
 *   writes, or that have an older schema
 */
export async function keepDoctorRun(db: Executor, run: DoctorRun): Promise<string | null> {
  try {
    await saveDoctorRun(db, { ...run, actor: run.actor.slice(0, LONGEST_ACTOR) });
    return null;
  } catch (error) {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}

/** The last run of `payreq doctor`; null: there was none. */
export function readDoctorRun({ db }: { readonly db: Executor }): Promise<DoctorRun | null> {
  return findDoctorRun(db);
}
