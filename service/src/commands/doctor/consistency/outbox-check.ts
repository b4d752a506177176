import { countText } from '#lib/words/count-text.ts';
import { type CheckDeps, examplesOf, fault, fine, type Verdict, withStop } from '../verdict.ts';
import { auditWholeOutbox } from './audit-whole-outbox.ts';

/** Every status change has its webhook event, and the history leads to the status. */
export async function checkOutbox(deps: CheckDeps): Promise<Verdict> {
  const { paymentRequests, owedEvents, broken, brokenIds, stopped } = await auditWholeOutbox(
    deps.db,
    deps.retentionEventsDays,
    (examined) => deps.showProgress(countText(examined, 'payment request')),
  );
  const changes = countText(owedEvents, 'status change');
  const looked = `Checked ${changes} of ${countText(paymentRequests, 'payment request')}`;
  if (broken > 0) {
    const ids = examplesOf(brokenIds, broken);
    return withStop(stopped, fault(`${looked}: the event or the history is wrong for ${ids}.`));
  }
  return withStop(stopped, fine(`${looked}: each has its event.`));
}
