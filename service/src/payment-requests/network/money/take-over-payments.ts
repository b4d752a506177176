import type { Database, Executor } from '#database/database.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import { findPaymentRequests } from '#payment-requests/lookup/find-store.ts';
import { entryFromBefore } from '#payment-requests/model/money/movements.ts';
import {
  findNextIds,
  findNotedIds,
  forgetNoted,
  lockProgress,
  lockUnbooked,
  saveProgress,
  saveReceived,
} from './takeover-store.ts';

/** A batch writes for some 50 ms, and its rows are locked meanwhile. */
const BATCH = 500;

export interface TakeOverDeps {
  readonly db: Database;
  /** ISO 4217: the deployment's one currency. */
  readonly currency: string;
}

/**
 * Writes the ledger entries and sums of payments of before the ledger (decision 0045), a batch of
 * payment requests in one transaction: first all that there are, in the order of their ids, then
 * those that a process of the previous version has made PAID since.
 *
 * @returns whether more may be left.
 */
export function takeOverPayments({ db, currency }: TakeOverDeps): Promise<boolean> {
  return db.transaction(async (tx) => {
    const progress = await lockProgress(tx);
    if (!progress) return false;
    if (progress.hasEnded) {
      const noted = await findNotedIds(tx, BATCH);
      if (noted.length === 0) return false;
      await book(tx, currency, noted);
      await forgetNoted(tx, noted);
      return noted.length === BATCH;
    }
    const ids = await findNextIds(tx, progress.reachedId, BATCH);
    await book(tx, currency, ids);
    await saveProgress(tx, ids.at(-1) ?? null, ids.length < BATCH);
    return true;
  });
}

/** An entry and its sum, or neither: a reference that the ledger has already is left as it is. */
async function book(tx: Executor, currency: string, ids: readonly string[]): Promise<void> {
  const unbooked = await lockUnbooked(tx, ids);
  if (unbooked.length === 0) return;
  const entries = (await findPaymentRequests(tx, unbooked)).flatMap((found) => {
    const entry = entryFromBefore(found);
    return entry ? [{ ...entry, currency, createdAt: entry.createdAt ?? found.createdAt }] : [];
  });
  const written = await insertLedgerEntries(tx, entries);
  await saveReceived(
    tx,
    written.flatMap(({ paymentRequestId }) => paymentRequestId ?? []),
  );
}
