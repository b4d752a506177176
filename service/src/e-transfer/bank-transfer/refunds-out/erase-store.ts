import type { Executor } from '#database/database.ts';

const ERASE = {
  name: 'bank-refund-erase-payers',
  text: `UPDATE bank_refunds SET creditor_encrypted = NULL, message = NULL
         WHERE payment_request_id = ANY ($1::uuid[])
           AND state IN ('COMPLETED', 'FAILED', 'RETURNED')`,
};

/** Erases names and accounts of payers in refunds that are over. */
export async function eraseRefundData(
  tx: Executor,
  paymentRequestIds: readonly string[],
): Promise<void> {
  await tx.query(ERASE, [paymentRequestIds]);
}
