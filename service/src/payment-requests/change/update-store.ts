import type { Executor, Statement } from '#database/database.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';

const SAVE: Statement = {
  name: 'payment-request-save-update',
  text: `UPDATE payment_requests SET
      due_date = $2, expires_at = $3, display_message = $4, invoice_number = $5,
      business_unit = $6, webhook_url = $7, webhook_url_field = $8, metadata = $9, version = $10
    WHERE id = $1`,
};

/** Writes what an update may change, of a payment request that the transaction has locked. */
export async function saveUpdate(tx: Executor, updated: PaymentRequest): Promise<void> {
  await tx.query(SAVE, [
    updated.id,
    updated.dueDate,
    updated.expiresAt,
    updated.displayMessage,
    updated.invoiceNumber,
    updated.businessUnit,
    updated.webhook?.url ?? null,
    updated.webhook?.field ?? null,
    updated.metadata === null ? null : JSON.stringify(updated.metadata),
    updated.version,
  ]);
}
