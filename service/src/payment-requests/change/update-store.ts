import type { Executor, Statement } from '#database/database.ts';
import { execute } from '#database/statements.ts';
import { compileMapping } from '#lib/compile-mapping.ts';
import { LINK_ALONE } from '#payment-requests/model/messages/delivery.ts';
import type { NewPaymentRequest, PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { CHANGEABLE_COLUMNS, COLUMN_ORIGINS } from '#payment-requests/model/row.ts';

const SAVE: Statement = {
  name: 'payment-request-save-update',
  text: `UPDATE payment_requests SET version = $2,
      ${CHANGEABLE_COLUMNS.map((column, index) => `${column} = $${index + 3}`).join(', ')}
    WHERE id = $1`,
};

const toColumns = compileMapping<NewPaymentRequest, Record<string, unknown>>(COLUMN_ORIGINS);

/** Writes the columns that an update may change; the transaction has locked the row. */
export async function saveUpdate(tx: Executor, updated: PaymentRequest): Promise<void> {
  const columns = toColumns(updated, undefined);
  const changed = CHANGEABLE_COLUMNS.map((column) => columns[column]);
  await tx.query(SAVE, [updated.id, updated.version, ...changed]);
}

/** Lets messages follow a locked payment request without any, in the merchant’s template. */
export const followMessages = execute<[id: string]>(
  'payment-request-follow-messages',
  `UPDATE payment_requests p SET message_plan = jsonb '${JSON.stringify(LINK_ALONE)}' ||
     jsonb_build_object('templateId', m.message_settings -> 'templateId')
   FROM merchants m WHERE p.id = $1 AND p.message_plan IS NULL AND m.id = p.merchant_id`,
);
