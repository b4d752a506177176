import { randomUUID } from 'node:crypto';
import type { Executor } from '#database/database.ts';
import type { NewLedgerEntry } from '#ledger/model/entry.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import type { TestDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import type { Answer, TestMerchant, TestService } from '../service/service.ts';

/** A movement of 10.00 into the merchant's account, with these members beside. */
export function entryOf(
  merchant: Pick<TestMerchant, 'merchantId'>,
  members: Partial<NewLedgerEntry> = {},
): NewLedgerEntry {
  return {
    merchantId: merchant.merchantId,
    type: 'PAYMENT',
    amountCents: 1_000,
    currency: 'CAD',
    paymentRequestId: null,
    refundId: null,
    networkReference: randomUUID(),
    bankReference: null,
    bookingDate: null,
    createdAt: new Date('2026-03-01T12:00:00.000Z'),
    ...members,
  };
}

/** Writes entries in one transaction, as the part does that learns of the money. */
export function writeEntries(
  { database }: Pick<TestService, 'database'>,
  entries: readonly NewLedgerEntry[],
): Promise<unknown> {
  return database.db.transaction((tx: Executor) => insertLedgerEntries(tx, entries));
}

/**
 * Asks until the answer has so many entries. The ledger waits for older transactions of the
 * database server, also of other databases (decision 0017).
 */
export async function untilInLedger(
  read: () => Promise<Answer>,
  count: number,
  entriesOf: (answer: Answer) => readonly unknown[] = ({ json }) => json.data,
): Promise<Answer> {
  let answer = await read();
  await eventually(async () => {
    answer = await read();
    return entriesOf(answer).length >= count;
  }, `${count} entries in the ledger`);
  return answer;
}

/** Waits until reports count every entry: other databases may have transactions open. */
export async function untilAllInLedger({ sql }: Pick<TestDatabase, 'sql'>): Promise<void> {
  await eventually(async () => {
    const [held] = await sql(
      `SELECT FROM ledger_entries WHERE transaction_id >= pg_snapshot_xmin(pg_current_snapshot())
       LIMIT 1`,
    );
    return held === undefined;
  }, 'all entries in the ledger');
}
