import type { Executor } from '#database/database.ts';
import type { Merchant } from './merchant.ts';
import { lockMerchant } from './merchant-store.ts';
import { Refusal } from './operator-fault.ts';

/**
 * The merchant that an operator named, its row locked until the end of the transaction.
 *
 * @throws OperatorFault when there is none
 */
export async function lockKnownMerchant(tx: Executor, id: string): Promise<Merchant> {
  const merchant = await lockMerchant(tx, id);
  if (!merchant) throw new Refusal('merchant.unknown', { id });
  return merchant;
}
