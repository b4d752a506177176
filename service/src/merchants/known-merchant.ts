import type { Executor } from '#database/database.ts';
import type { Merchant } from './merchant.ts';
import { findMerchant, lockMerchant } from './merchant-store.ts';
import { Refusal } from './operator-fault.ts';

/** The merchant that an operator named. @throws OperatorFault when there is none */
export async function findKnownMerchant(db: Executor, id: string): Promise<Merchant> {
  return known(id, await findMerchant(db, id));
}

/** `findKnownMerchant`, with the row locked until the end of the transaction. */
export async function lockKnownMerchant(tx: Executor, id: string): Promise<Merchant> {
  return known(id, await lockMerchant(tx, id));
}

function known(id: string, merchant: Merchant | undefined): Merchant {
  if (!merchant) throw new Refusal('merchant.unknown', { id });
  return merchant;
}
