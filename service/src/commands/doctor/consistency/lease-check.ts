import { type CheckDeps, examplesOf, fault, fine, type Verdict } from '../verdict.ts';
import { count, OVERDUE_SECONDS } from './delivery-checks.ts';
import { findLongLeases, findOverdueLeases } from './lease-store.ts';

/** The longest lease is 90 s (a list stream); twice that leaves room for clocks. */
const LONGEST_LEASE_SECONDS = 180;

/** No lease has outlived its holder, and none is so long that its row is never worked on again. */
export async function checkLeases({ db }: CheckDeps): Promise<Verdict> {
  const overdue = await findOverdueLeases(db, OVERDUE_SECONDS);
  const long = await findLongLeases(db, LONGEST_LEASE_SECONDS);
  const faults: string[] = [];
  if (overdue.count > 0) {
    faults.push(
      `${count(overdue)} leased by a sender that is gone, and nobody took over: ` +
        `${examplesOf(overdue.examples ?? [], overdue.count)}. ` +
        'Does a process with the background role run?',
    );
  }
  if (long.count > 0) {
    faults.push(
      `Leases end later than any lease of this version: ` +
        `${examplesOf(long.examples ?? [], long.count)}. No process works on the rows until then.`,
    );
  }
  return faults.length > 0 ? fault(faults.join(' ')) : fine('No lease of a sender is overdue.');
}
