import type { Executor, Statement } from '#database/database.ts';

/** A batch names many payments by one reference of the entry; more than these help nobody. */
const MOST = 100;

/** Every part reads an index. */
const FIND: Statement = {
  name: 'bank-transfer-search',
  text: `SELECT payment_request_id::text AS id FROM bank_transfer_requests WHERE reference = $1
    UNION
    (SELECT payment_request_id::text FROM bank_movements
     WHERE bank_reference = $2 AND payment_request_id IS NOT NULL LIMIT ${MOST})
    UNION
    (SELECT payment_request_id::text FROM bank_movements
     WHERE entry_reference = $2 AND payment_request_id IS NOT NULL LIMIT ${MOST})`,
};

/** The payment requests with a creditor reference, or with money under a bank's own reference. */
export async function findRequestsByReference(
  db: Executor,
  creditorReference: string,
  bankReference: string,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(FIND, [creditorReference, bankReference]);
  return rows.map(({ id }) => id);
}
