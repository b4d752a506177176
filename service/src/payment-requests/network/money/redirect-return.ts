import type { Database } from '#database/database.ts';
import type { NetworkReport } from '#e-transfer/e-transfer-network.ts';
import { isGone } from '#payment-requests/model/money/waiting.ts';
import type { MovementIndex } from './movement-index.ts';
import { findMovements } from './movement-store.ts';
import { findReplacing } from './replaced-store.ts';

/** Money that a report takes back, and that an operator has moved meanwhile. */
export type Redirect =
  /** Assigned to another payment request than the network names. */
  | { readonly kind: 'ASSIGNED'; readonly paymentRequestId: string }
  /** A corrected booking has taken the place of the movement with this network reference. */
  | { readonly kind: 'REPLACED'; readonly networkReference: string };

/** @returns null: the report is right, or the return is known. Pure. */
export function findRedirect(
  { paymentRequestId, outcome }: NetworkReport,
  { incoming, returns }: MovementIndex,
): Redirect | null {
  if (outcome.state !== 'RETURNED' || outcome.returnedReference === null) return null;
  if (returns.has(outcome.movement.networkReference)) return null;
  const undone = incoming.get(outcome.returnedReference);
  if (!undone) return null;
  if (undone.type === 'ADJUSTMENT' || outcome.isMore) {
    return { kind: 'REPLACED', networkReference: outcome.returnedReference };
  }
  const owner = undone.type === 'ASSIGNED' ? undone.paymentRequestId : null;
  if (owner === null || owner === paymentRequestId) return null;
  return { kind: 'ASSIGNED', paymentRequestId: owner };
}

/** The report as it reads with what the operator did. */
export async function followRedirect(
  db: Database,
  report: NetworkReport,
  redirect: Redirect,
): Promise<NetworkReport> {
  if (redirect.kind === 'ASSIGNED') {
    return { ...report, paymentRequestId: redirect.paymentRequestId };
  }
  if (report.outcome.state !== 'RETURNED') return report;
  const { isMore = false, ...outcome } = report.outcome;
  const found = await findReplacing(db, redirect.networkReference);
  // A payment that kept its sum has a part of the booking: the return lowers its sums.
  const isLost = found === null || (isMore && (await isParted(db, found)));
  return { ...report, outcome: { ...outcome, returnedReference: isLost ? null : found } };
}

async function isParted(db: Database, reference: string): Promise<boolean> {
  const { incoming } = await findMovements(db, [reference]);
  return [...incoming.values()].some(isGone);
}
