import type { Database } from '#database/database.ts';
import type { BankFee } from '#e-transfer/network-money.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import type { Clock } from '#lib/clock.ts';
import { entryOf } from '#payment-requests/model/money/movements.ts';

export interface ReportFeeDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Writes the charges of a bank as an entry of the ledger. They are no part of the sums of any
 * payment request. A repetition changes nothing: the ledger has one entry for a movement.
 */
export async function reportFee({ db, clock }: ReportFeeDeps, fee: BankFee): Promise<void> {
  const { currency, ...rest } = fee;
  const entry = { ...entryOf({ type: 'FEE', sign: -1, ...rest }), currency };
  await db.transaction((tx) => insertLedgerEntries(tx, [{ ...entry, createdAt: clock.now() }]));
}
