import type { DatabaseDeps } from '#database/database.ts';
import type { BankFee } from '#e-transfer/network-money.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import { entryOf } from '#payment-requests/model/money/movements.ts';

/**
 * Writes the charges of a bank as an entry of the ledger. They are no part of the sums of any
 * payment request. A repetition changes nothing: the ledger has one entry for a movement.
 */
export async function reportFee({ db, clock }: DatabaseDeps, fee: BankFee): Promise<void> {
  const { currency, ...rest } = fee;
  const entry = { ...entryOf({ type: 'FEE', sign: -1, ...rest }), currency };
  await db.transaction((tx) => insertLedgerEntries(tx, [{ ...entry, createdAt: clock.now() }]));
}
