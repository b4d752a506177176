import { columnsOf } from '#database/columns.ts';
import type { Executor, Statement } from '#database/database.ts';
import { newId } from '#lib/new-id.ts';
import type { NewLedgerEntry } from './model/entry.ts';

/** The unique indexes decide which movements the ledger has already. */
const INSERT: Statement = {
  name: 'ledger-insert',
  text: `INSERT INTO ledger_entries
           (id, merchant_id, type, amount_cents, currency, payment_request_id, refund_id,
            network_reference, bank_reference, booking_date, created_at)
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[],
           $6::uuid[], $7::uuid[], $8::text[], $9::text[], $10::date[], $11::timestamptz[])
         ON CONFLICT DO NOTHING RETURNING id`,
};

/**
 * Writes movements of money in the transaction that learns of them (contract §11). A movement that
 * the ledger has already is left out.
 *
 * @returns the entries that are new
 */
export async function insertLedgerEntries<Entry extends NewLedgerEntry>(
  tx: Executor,
  entries: readonly Entry[],
): Promise<Entry[]> {
  if (entries.length === 0) return [];
  const ids = entries.map(newId);
  const columns = columnsOf<NewLedgerEntry>(entries);
  const rows = await tx.query<{ id: string }>(INSERT, [
    ids,
    ...columns('merchantId', 'type', 'amountCents', 'currency', 'paymentRequestId', 'refundId'),
    ...columns('networkReference', 'bankReference', 'bookingDate', 'createdAt'),
  ]);
  const written = new Set(rows.map(({ id }) => id));
  return entries.filter((_, index) => written.has(ids[index] ?? ''));
}
