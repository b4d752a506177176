import type { Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { findRefund } from '#refunds/lookup/find-store.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { findRefundsForOperator, type OperatorFilters } from './operator-store.ts';

/** A screen or two. */
export const MOST_LISTED = 100;

/** @throws OperatorFault for an unknown id */
export async function findForOperator(executor: Executor, id: string): Promise<Refund> {
  const refund = isId(id) ? await findRefund(executor, id) : null;
  if (!refund) throw new Refusal('refund.unknown', { id });
  return refund;
}

/** The newest refunds of all merchants that match. @throws OperatorFault for a malformed id */
export async function listForOperator(
  executor: Executor,
  filters: OperatorFilters,
): Promise<Refund[]> {
  const { paymentRequestId } = filters;
  if (paymentRequestId !== null && !isId(paymentRequestId)) {
    throw new Refusal('request.form', { id: paymentRequestId });
  }
  return findRefundsForOperator(executor, filters, MOST_LISTED);
}
