import type { Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { findRefund } from '#refunds/lookup/find-store.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { findRefundsForOperator, type OperatorFilters } from './operator-store.ts';

/** A screen or two. */
export const MOST_LISTED = 100;

/** @throws OperatorFault for an unknown id */
export async function findForOperator(executor: Executor, id: string): Promise<Refund> {
  const refund = isId(id) ? await findRefund(executor, id) : null;
  if (!refund) throw new OperatorFault(`There is no refund with the id "${id}".`);
  return refund;
}

/** The newest refunds of all merchants that match. @throws OperatorFault for a malformed id */
export async function listForOperator(
  executor: Executor,
  filters: OperatorFilters,
): Promise<Refund[]> {
  const { paymentRequestId } = filters;
  if (paymentRequestId !== null && !isId(paymentRequestId)) {
    throw new OperatorFault(`"${paymentRequestId}" is not the id of a payment request.`);
  }
  return findRefundsForOperator(executor, filters, MOST_LISTED);
}
