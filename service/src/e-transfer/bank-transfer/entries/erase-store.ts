import type { Executor } from '#database/database.ts';

const ERASE_MOVEMENTS = {
  name: 'bank-movements-erase-parties',
  text: `UPDATE bank_movements SET party_box = NULL
         WHERE payment_request_id = ANY ($1::uuid[]) AND party_box IS NOT NULL`,
};

/** The stored bytes of a file name every payer in it. */
const ERASE_ENTRIES = {
  name: 'bank-entries-erase-parties',
  text: `WITH named AS (
           SELECT e.id, e.file_id FROM bank_entries e JOIN bank_movements m ON m.id = e.movement_id
           WHERE m.payment_request_id = ANY ($1::uuid[])),
         entries AS (
           UPDATE bank_entries SET party_box = NULL WHERE id IN (SELECT id FROM named))
         DELETE FROM bank_file_parts WHERE file_id IN
           (SELECT n.file_id FROM named n JOIN bank_files f ON f.id = n.file_id
            WHERE f.state = 'COMPLETE')`,
};

/**
 * Erases the names and account numbers of payers, with the bytes of the files that hold them
 * (contract §8). Call it only for payment requests without an open refund or case: a refund needs
 * the account number.
 */
export async function eraseBankData(
  tx: Executor,
  paymentRequestIds: readonly string[],
): Promise<void> {
  if (paymentRequestIds.length === 0) return;
  await tx.query(ERASE_MOVEMENTS, [paymentRequestIds]);
  await tx.query(ERASE_ENTRIES, [paymentRequestIds]);
}
