import type { Executor } from '#database/database.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { isGivenBack } from './case-store.ts';
import { type OperatorCase, referencesOf } from './model/operator-case.ts';

/**
 * Refuses to settle money that another case has given back: several cases can name a movement.
 *
 * @throws OperatorFault
 */
export async function refuseRefunded(tx: Executor, operatorCase: OperatorCase): Promise<void> {
  const { id, paymentRequestId } = operatorCase;
  const references = referencesOf(operatorCase);
  if (paymentRequestId === null || references.length === 0) return;
  if (!(await isGivenBack(tx, paymentRequestId, references))) return;
  throw new OperatorFault(`The money of the case ${id} is on its way back already, by a refund.`);
}
