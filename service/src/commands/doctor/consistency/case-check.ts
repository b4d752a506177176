import { countText } from '#lib/words/count-text.ts';
import { isOvertaken } from '#payment-requests/model/money/waiting.ts';
import { casesWithMoney } from '#payment-requests/network/money/follow-money.ts';
import { weighKnown } from '#payment-requests/network/money/movement-index.ts';
import { findMovements } from '#payment-requests/network/money/movement-store.ts';
import { type CheckDeps, fault, fine, type Verdict, withStop } from '../verdict.ts';
import { walkBatches } from '../walk-batches.ts';
import { BEFORE_ALL_IDS } from './audit-whole-outbox.ts';
import { findHeldMoney, findOpenCases } from './case-check-store.ts';
import { createFindings } from './findings.ts';

/** Entries are read by their key; held money is rare. A batch takes some 50 ms. */
const ENTRIES = 5_000;
/** Each case reads its movements by index. */
const CASES = 500;

/**
 * Money that waits has an open case, and an open case has money that waits (contract §11): an act
 * of the console and the command line settles it.
 */
export async function checkCases(deps: CheckDeps): Promise<Verdict> {
  const { db } = deps;
  const lost = createFindings({ lost: 'Money waits without an open case' });
  const stale = createFindings({ stale: 'Cases are open about settled money' });
  const money = await walkBatches({
    first: BEFORE_ALL_IDS,
    batchSize: ENTRIES,
    showProgress: (entries) => deps.showProgress(countText(entries, 'ledger entry')),
    async examine(after, limit) {
      const { examined, last, references } = await findHeldMoney(db, after, limit);
      const known = await findMovements(db, references);
      const waiting = [...known.incoming.values()].filter(
        (movement) => weighKnown(known, movement).state === 'WAITS',
      );
      const names = waiting.map(({ networkReference }) => networkReference);
      const hasCase = (name: string) => known.facts.get(name)?.cases.some(({ isOpen }) => isOpen);
      lost.add({ lost: names.filter((name) => !hasCase(name)) });
      return { examined, last };
    },
  });
  const cases = await walkBatches({
    first: BEFORE_ALL_IDS,
    batchSize: CASES,
    showProgress: (examined) => deps.showProgress(countText(examined, 'open case')),
    async examine(after, limit) {
      const open = await findOpenCases(db, after, limit);
      const overtaken = (await casesWithMoney(db, open)).filter(isOvertaken);
      stale.add({ stale: overtaken.map(({ id }) => id) });
      return { examined: open.length, last: open.at(-1)?.id ?? null };
    },
  });
  const faults = [...lost.sentences(), ...stale.sentences()];
  const stopped = money.stopped ?? cases.stopped;
  if (faults.length > 0) return withStop(stopped, fault(faults.join(' ')));
  const agreed = `The money that waits has its cases: ${countText(cases.examined, 'open case')}.`;
  return withStop(stopped, fine(agreed));
}
