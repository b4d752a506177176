import type { Executor } from '#database/database.ts';
import type { Account } from './account.ts';
import { findNewestAccount } from './account-store.ts';

/** The account that a payer's page shows; the network's `CreditorAccount` has this shape. */
export type CurrentAccount = Pick<Account, 'id' | 'holder' | 'accountNumber' | 'bic'>;

/**
 * The account to which payers of the merchant transfer money from now on. An account that its bank
 * has closed takes no money.
 *
 * @returns null: the merchant has no account, or the bank has closed it
 */
export async function findCurrentAccount(
  db: Executor,
  merchantId: string,
): Promise<CurrentAccount | null> {
  const account = await findNewestAccount(db, merchantId);
  if (account === null || account.closedAt !== null) return null;
  const { id, holder, accountNumber, bic } = account;
  return { id, holder, accountNumber, bic };
}
