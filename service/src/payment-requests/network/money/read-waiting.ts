import type { Executor } from '#database/database.ts';
import { referencesOfStored } from './follow-money.ts';
import { findCasesAboutMoney } from './follow-store.ts';
import { waitingUnder } from './known-money.ts';
import { findMovements } from './movement-store.ts';

/** The kinds about money on the account of the payment request's own merchant. */
const OWN = new Set(['AMOUNT_MISMATCH', 'AMOUNT_ABOVE_LIMIT', 'SECOND_PAYMENT']);

/** The cents that wait for an operator's decision about a payment request (contract §11). */
export async function readWaitingCents(db: Executor, paymentRequestId: string): Promise<number> {
  const cases = await findCasesAboutMoney(db, [paymentRequestId]);
  const open = cases.filter(({ kind, isOpen }) => isOpen && OWN.has(kind));
  const references = [...new Set(open.flatMap(referencesOfStored))];
  const left = waitingUnder(await findMovements(db, references), references);
  return left.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
