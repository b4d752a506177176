import type { Action } from '#console/model/access-matrix.ts';
import { merchantsWithAction } from '#console/model/merchants-with-action.ts';
import type { Executor } from '#database/database.ts';
import { countUndeliveredLinks } from '#messages/read/list-messages.ts';
import { listOverdue } from '#payment-requests/read/list-overdue.ts';
import type { Section } from './sections.ts';
import type { Visit } from './visit.ts';
import { countWork } from './work-store.ts';

/** How much waits in a section for the person; left out: nothing does. */
export type Work = Readonly<Partial<Record<Section, number>>>;

type Person = Pick<Visit, 'viewer' | 'shownMerchant' | 'can' | 'now'>;

/** Counts the work that the person may see: of the merchant in the menu, and of the deployment. */
export async function readWork(
  db: Executor,
  { viewer, shownMerchant, can, now }: Person,
): Promise<Work> {
  const own = (action: Action) =>
    shownMerchant && can(action, shownMerchant.id) ? shownMerchant.id : null;
  const counted = await countWork(db, {
    approvalsOf: merchantsWithAction(viewer.grants, 'approvals.read'),
    endpointsOf: own('endpoints.read'),
    casesOf: own('cases.read'),
    hasAllCases: can('operator.cases.read'),
    now,
  });
  const messagesOf = own('messages.read');
  const overdue = can('operator.health.read') ? (await listOverdue({ db })).length : 0;
  return {
    approvals: counted.approvals,
    endpoints: counted.failingEndpoints,
    cases: counted.cases,
    messages: messagesOf === null ? 0 : await countUndeliveredLinks(db, messagesOf),
    'operator.cases': counted.allCases,
    'operator.bank-connection': counted.paymentFiles,
    'operator.bank-files': counted.bankFiles,
    'operator.unmatched': counted.unmatched,
    'operator.overdue': overdue,
  };
}
