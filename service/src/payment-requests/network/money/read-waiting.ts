import type { Executor } from '#database/database.ts';
import { sumOf } from '#payment-requests/model/money/movements.ts';
import { referencesOfStored } from './follow-money.ts';
import { findCasesAboutMoney } from './follow-store.ts';
import { waitingUnder } from './movement-index.ts';
import { findMovements } from './movement-store.ts';

/** The kinds about money on the account of the payment request's own merchant. */
const OWN = new Set(['AMOUNT_MISMATCH', 'AMOUNT_ABOVE_LIMIT', 'SECOND_PAYMENT']);

/** The cents that wait for an operator's decision about a payment request (contract §11). */
export async function readWaitingCents(db: Executor, paymentRequestId: string): Promise<number> {
  const cases = await findCasesAboutMoney(db, [paymentRequestId], []);
  const open = cases.filter(({ kind, isOpen }) => isOpen && OWN.has(kind));
  return sumWaiting(db, [...new Set(open.flatMap(referencesOfStored))]);
}

/** The cents that wait under network references. */
export async function sumWaiting(db: Executor, references: readonly string[]): Promise<number> {
  return sumOf(waitingUnder(await findMovements(db, references), references));
}
