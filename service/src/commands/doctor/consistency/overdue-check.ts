import { type CheckDeps, examplesOf, fault, fine, type Verdict } from '../verdict.ts';
import { findOverdueSteps } from './overdue-store.ts';

/** The loops run every second; five minutes are for a restart, a backlog or a large file. */
const OVERDUE_SECONDS = 300;

/** Every loop does the work that is due. */
export async function checkOverdueSteps({ db }: CheckDeps): Promise<Verdict> {
  const { count, examples } = await findOverdueSteps(db, OVERDUE_SECONDS);
  if (count === 0) return fine('No step is overdue.');
  return fault(
    `Due for more than ${OVERDUE_SECONDS} s: ${examplesOf(examples ?? [], count)}. ` +
      'Does a process with the background role run?',
  );
}
