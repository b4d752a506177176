import { countText } from '#lib/words/count-text.ts';
import { createFindings } from '../consistency/findings.ts';
import { type CheckDeps, fault, fine, type Verdict } from '../verdict.ts';
import { walkBatches } from '../walk-batches.ts';
import { compareDaySums, listOwnerDays } from './day-sums-store.ts';

/** A month of 30,000 entries a day is read off an index in some 300 ms. */
const DAYS_AT_ONCE = 31;
const DAY_MS = 86_400_000;

/** The sums of days, with which every report opens, are those of the ledger (decision 0076). */
export async function checkDaySums({ db, showProgress }: CheckDeps): Promise<Verdict> {
  const findings = createFindings({ wrong: 'The sums of days differ from the ledger entries' });
  const stops: string[] = [];
  let sums = 0;
  for (const { owner, first, last } of await listOwnerDays(db)) {
    const name = owner ?? 'no merchant';
    const { stopped } = await walkBatches({
      first,
      batchSize: DAYS_AT_ONCE,
      showProgress: () => showProgress(`${name}: ${countText(sums, 'sum')}`),
      async examine(from, days) {
        if (from > last) return { examined: 0, last: null };
        const compared = await compareDaySums(db, owner, from, days);
        sums += compared.sums;
        findings.add({ wrong: compared.wrong.map((day) => `${name} ${day}`) });
        return { examined: compared.sums, last: laterDay(from, days) };
      },
    });
    if (stopped !== null) stops.push(`${name}: ${stopped}`);
  }
  const faults = [...findings.sentences(), ...stops];
  if (faults.length > 0) return fault(faults.join(' '));
  return fine(`Each of ${countText(sums, 'sum')} of a day is that of its ledger entries.`);
}

function laterDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
