import type { Executor } from '#database/database.ts';
import { findCurrentStoredAccount } from './account-store.ts';

/** The account that a payer's page shows; the network's `CreditorAccount` has this shape. */
export interface CurrentAccount {
  readonly id: string;
  readonly holder: string;
  /** Electronic form: capital letters and digits. */
  readonly iban: string;
  readonly bic: string | null;
}

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
  const account = await findCurrentStoredAccount(db, merchantId);
  if (account === null || account.closedAt !== null) return null;
  const { id, holder, iban, bic } = account;
  return { id, holder, iban, bic };
}
