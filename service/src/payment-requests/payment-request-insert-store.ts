import type { Executor, Statement } from '#database/database.ts';
import { formatInstant } from '#lib/instant.ts';
import type { NewPaymentRequest } from './payment-request.ts';

/** One parameter whatever the number of rows, so that the statement is prepared once. */
const INSERT: Statement = {
  name: 'payment-request-insert',
  text: `WITH inserted AS (
    INSERT INTO payment_requests (
      id, merchant_id, merchant_transaction_id, unique_transaction_id, amount_cents, type,
      delivery_mode, payer_name, payer_merchant_account_id, payer_email, payer_mobile_number,
      payer_preferred_language, due_date, display_message, invoice_number, business_unit,
      email_template_id, webhook_url, webhook_url_field, metadata, short_code, created_at,
      expires_at)
    SELECT id, merchant_id, merchant_transaction_id, unique_transaction_id, amount_cents, type,
      delivery_mode, payer_name, payer_merchant_account_id, payer_email, payer_mobile_number,
      payer_preferred_language, due_date, display_message, invoice_number, business_unit,
      email_template_id, webhook_url, webhook_url_field, metadata, short_code, created_at,
      expires_at
    FROM json_to_recordset($1::json) AS asked (
      id uuid, merchant_id text, merchant_transaction_id text, unique_transaction_id text,
      amount_cents bigint, type text, delivery_mode text, payer_name text,
      payer_merchant_account_id text, payer_email text, payer_mobile_number text,
      payer_preferred_language text, due_date date, display_message text, invoice_number text,
      business_unit text, email_template_id text, webhook_url text, webhook_url_field text,
      metadata json, short_code text, created_at timestamptz, expires_at timestamptz)
    RETURNING id, created_at)
  INSERT INTO payment_request_events (payment_request_id, position, status, cause, occurred_at)
  SELECT id, 1, 'CREATED', 'CREATED', created_at FROM inserted`,
};

/** What a new payment request is known by. */
export interface NewIdentity {
  readonly id: string;
  readonly shortCode: string;
  readonly merchantId: string;
}

export interface NewRow {
  readonly identity: NewIdentity;
  readonly asked: NewPaymentRequest;
  /** Whether the merchant's setting forbids to use the merchantTransactionId again. */
  readonly isTransactionIdUnique: boolean;
}

/** Writes new payment requests and their CREATED events, in one statement. */
export async function insertPaymentRequests(
  executor: Executor,
  rows: readonly NewRow[],
): Promise<void> {
  await executor.query(INSERT, [JSON.stringify(rows.map(columnsOf))]);
}

/** Absent values are left out: what the statement does not find is null. */
function columnsOf({ identity, asked, isTransactionIdUnique }: NewRow) {
  const { payer, webhook } = asked;
  return {
    id: identity.id,
    merchant_id: identity.merchantId,
    merchant_transaction_id: asked.merchantTransactionId,
    unique_transaction_id: isTransactionIdUnique ? asked.merchantTransactionId : null,
    amount_cents: asked.amountCents,
    type: asked.type,
    delivery_mode: asked.deliveryMode,
    payer_name: payer.name,
    payer_merchant_account_id: payer.merchantAccountId,
    payer_email: payer.email,
    payer_mobile_number: payer.mobileNumber,
    payer_preferred_language: payer.preferredLanguage,
    due_date: asked.dueDate,
    display_message: asked.displayMessage,
    invoice_number: asked.invoiceNumber,
    business_unit: asked.businessUnit,
    email_template_id: asked.emailTemplateId,
    webhook_url: webhook?.url,
    webhook_url_field: webhook?.field,
    metadata: asked.metadata,
    short_code: identity.shortCode,
    created_at: formatInstant(asked.createdAt),
    expires_at: formatInstant(asked.expiresAt),
  };
}
