import type { Executor } from '#database/database.ts';
import { sumWaiting } from '#payment-requests/network/money/read-waiting.ts';
import { holdsMoney } from '#payment-requests/status/money-case-store.ts';
import { type OperatorCase, referencesOf } from '../model/operator-case.ts';

/**
 * The cents that an act on the case would settle: what is left of its movements after refunds,
 * returns and other cases (contract §11); null for a case that holds no arrived money.
 */
export async function readLeftCents(
  db: Executor,
  operatorCase: Pick<OperatorCase, 'kind' | 'details'>,
): Promise<number | null> {
  if (!holdsMoney(operatorCase.kind)) return null;
  return sumWaiting(db, referencesOf(operatorCase));
}
