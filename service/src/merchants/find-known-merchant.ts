import type { Executor } from '#database/database.ts';
import type { Merchant } from './merchant.ts';
import { findMerchant } from './merchant-store.ts';
import { Refusal } from './operator-fault.ts';

/**
 * The merchant that an operator named.
 *
 * @throws OperatorFault when there is none
 */
export async function findKnownMerchant(db: Executor, id: string): Promise<Merchant> {
  const merchant = await findMerchant(db, id);
  if (!merchant) throw new Refusal('merchant.unknown', { id });
  return merchant;
}
