import { type CheckNeeds, examplesOf, fault, fine, type Verdict, withStop } from '../verdict.ts';
import { auditWholeOutbox } from './audit-whole-outbox.ts';

/** Every status change has its webhook event, and the history leads to the status. */
export async function checkOutbox(needs: CheckNeeds): Promise<Verdict> {
  const { paymentRequests, owedEvents, broken, brokenIds, stopped } = await auditWholeOutbox(
    needs.db,
    needs.retentionEventsDays,
    (examined) => needs.showProgress(`${examined} payment requests`),
  );
  const looked = `${owedEvents} status changes of ${paymentRequests} payment requests owe an event`;
  if (broken > 0) {
    const ids = examplesOf(brokenIds, broken);
    return withStop(stopped, fault(`${looked}; the event or the history is wrong for ${ids}.`));
  }
  return withStop(stopped, fine(`${looked}, and each has its own.`));
}
