import { countText } from '#lib/words/count-text.ts';
import { createFindings } from '../consistency/findings.ts';
import { type CheckDeps, fault, fine, type Verdict, withStop } from '../verdict.ts';
import { walkBatches } from '../walk-batches.ts';
import { compareDaySums, findLedgerDays } from './day-sums-store.ts';

/** A month of 30,000 entries a day is read off an index in some 500 ms. */
const DAYS_AT_ONCE = 31;
const DAY_MS = 86_400_000;

/** The sums of days, with which every report opens, are those of the ledger (decision 0076). */
export async function checkDaySums({ db, showProgress }: CheckDeps): Promise<Verdict> {
  const days = await findLedgerDays(db);
  if (!days) return fine('No report uses the sums of days yet: the ledger itself is read.');
  const { first, last } = days;
  const findings = createFindings({ wrong: 'The sums of days differ from the ledger entries' });
  const { examined, stopped } = await walkBatches({
    first,
    batchSize: DAYS_AT_ONCE,
    showProgress: (sums) => showProgress(countText(sums, 'sum')),
    async examine(day, limit) {
      if (day === null || last === null || day > last) return { examined: 0, last: null };
      const end = laterDay(day, limit);
      const compared = await compareDaySums(db, day, end);
      findings.add(compared);
      return { examined: compared.sums, last: end };
    },
  });
  const faults = findings.sentences();
  if (faults.length > 0) return withStop(stopped, fault(faults.join(' ')));
  const equal = `Each of ${countText(examined, 'sum')} of a day is that of its ledger entries.`;
  return withStop(stopped, fine(equal));
}

function laterDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
