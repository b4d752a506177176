import { countText } from '#lib/words/count-text.ts';
import { type CheckDeps, fault, fine, type Verdict, warning, withStop } from '../verdict.ts';
import { walkBatches } from '../walk-batches.ts';
import { BEFORE_ALL_IDS } from './audit-whole-outbox.ts';
import { createFindings } from './findings.ts';
import { auditMoney, type MoneyBatch } from './money-store.ts';

/** Ledger and refunds are read by index: a batch takes some 50 ms. */
const BATCH_SIZE = 2_000;

/** The faults, with their sentences. */
const FAULTS = {
  wrongSums: 'The sums differ from the ledger entries',
  foreignEntries: 'Ledger entries have another currency or another merchant',
  wrongReferences: 'PAID without the network reference of a ledger entry',
  wrongRefundSums: 'The sums of refunds differ from the refunds',
  wrongEntries: 'The ledger entries of a refund do not fit its status',
  wrongHistories: 'The events of a refund do not lead to its status in the order of time',
} as const satisfies Partial<Record<keyof MoneyBatch, string>>;

/**
 * The sums of each payment request are those of its ledger entries and its refunds (contract §11).
 * Refunds above the money that arrived are a warning: a bank's report states what has happened.
 */
export async function checkMoney(deps: CheckDeps): Promise<Verdict> {
  const findings = createFindings(FAULTS);
  const uncovered = createFindings({
    uncovered: 'More was given back than has arrived; see payreq cases list',
  });
  const { examined, stopped } = await walkBatches({
    first: BEFORE_ALL_IDS,
    batchSize: BATCH_SIZE,
    showProgress: (rows) => deps.showProgress(countText(rows, 'payment request')),
    async examine(after, limit) {
      const batch = await auditMoney(deps.db, after, limit);
      findings.add(batch);
      uncovered.add(batch);
      return { examined: batch.paymentRequests, last: batch.lastId };
    },
  });
  const faults = findings.sentences();
  const warnings = uncovered.sentences();
  if (faults.length > 0) return withStop(stopped, fault([...faults, ...warnings].join(' ')));
  if (warnings.length > 0) return withStop(stopped, warning(warnings.join(' ')));
  const agreed = `The money of ${countText(examined, 'payment request')} agrees with the ledger.`;
  return withStop(stopped, fine(agreed));
}
