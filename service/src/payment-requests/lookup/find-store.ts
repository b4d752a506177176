import type { Executor, Statement } from '#database/database.ts';
import type { PaymentRequest, StatusEvent } from '#payment-requests/model/payment-request.ts';
import type { Status, StatusReasonCode } from '#payment-requests/model/statuses.ts';

/**
 * What `fromRow` reads, of the tables of FROM. Each column by name: with `*`, a migration that adds
 * one would make the prepared statements of processes that still run fail.
 */
export const COLUMNS = `p.id, p.merchant_id, p.merchant_transaction_id, p.amount_cents, p.type,
  p.delivery_mode, p.payer_name, p.payer_merchant_account_id, p.payer_email,
  p.payer_mobile_number, p.payer_preferred_language, p.due_date, p.display_message,
  p.invoice_number, p.business_unit, p.email_template_id, p.webhook_url, p.webhook_url_field,
  p.metadata, p.short_code, p.trace_parent, p.status, p.status_reason_code,
  p.status_reason_message, p.paid_late,
  p.payment_institution, p.payment_network_reference, p.payment_completed_at, p.version,
  p.webhook_sequence, p.created_at, p.expires_at, m.name AS merchant_name, (
  SELECT json_agg(json_build_array(e.status, (extract(epoch FROM e.occurred_at) * 1000)::bigint)
                  ORDER BY e.position)
  FROM payment_request_events e WHERE e.payment_request_id = p.id) AS events`;

export const FROM = 'FROM payment_requests p JOIN merchants m ON m.id = p.merchant_id';

const FIND: Statement = {
  name: 'payment-request-find',
  text: `SELECT ${COLUMNS} ${FROM} WHERE p.id = $1`,
};

/**
 * One JSON parameter, whose length the planner cannot see: for an array it makes a plan for the
 * number of ids at hand each time, which takes longer than reading one.
 */
const FIND_MANY: Statement = {
  name: 'payment-request-find-many',
  text: `SELECT ${COLUMNS} ${FROM}
         WHERE p.id IN (SELECT value::uuid FROM json_array_elements_text($1::json))`,
};

const TRANSACTION_ID_EXISTS: Statement = {
  name: 'payment-request-transaction-id-exists',
  text: `SELECT EXISTS (SELECT FROM payment_requests
                        WHERE merchant_id = $1 AND merchant_transaction_id = $2) AS exists`,
};

/** Whether the merchant has used this merchantTransactionId before. */
export async function hasTransactionId(
  executor: Executor,
  merchantId: string,
  merchantTransactionId: string,
): Promise<boolean> {
  const [row] = await executor.query<{ exists: boolean }>(TRANSACTION_ID_EXISTS, [
    merchantId,
    merchantTransactionId,
  ]);
  return row?.exists ?? false;
}

export async function findPaymentRequest(
  executor: Executor,
  id: string,
): Promise<PaymentRequest | null> {
  const [row] = await executor.query<Row>(FIND, [id]);
  return row ? fromRow(row) : null;
}

/** Several at once, in no order; those that do not exist are left out. */
export async function findPaymentRequests(
  executor: Executor,
  ids: readonly string[],
): Promise<PaymentRequest[]> {
  return (await executor.query<Row>(FIND_MANY, [JSON.stringify(ids)])).map(fromRow);
}

export interface Row {
  id: string;
  merchant_id: string;
  merchant_name: string;
  merchant_transaction_id: string | null;
  amount_cents: number;
  type: 'ECOMM';
  delivery_mode: 'NONE' | null;
  payer_name: string;
  payer_merchant_account_id: string | null;
  payer_email: string | null;
  payer_mobile_number: string | null;
  payer_preferred_language: string | null;
  due_date: string | null;
  display_message: string | null;
  invoice_number: string | null;
  business_unit: string | null;
  email_template_id: string | null;
  webhook_url: string | null;
  webhook_url_field: 'webhookUrl' | 'callbackUrl' | null;
  metadata: Record<string, string> | null;
  short_code: string;
  trace_parent: string | null;
  status: Status;
  status_reason_code: StatusReasonCode | null;
  status_reason_message: string | null;
  paid_late: boolean;
  payment_institution: string | null;
  payment_network_reference: string | null;
  payment_completed_at: Date | null;
  version: number;
  webhook_sequence: number;
  created_at: Date;
  expires_at: Date;
  events: [Status, number][];
}

export function fromRow(row: Row): PaymentRequest {
  return {
    id: row.id,
    merchant: { id: row.merchant_id, name: row.merchant_name },
    merchantTransactionId: row.merchant_transaction_id,
    amountCents: row.amount_cents,
    type: row.type,
    deliveryMode: row.delivery_mode,
    payer: {
      name: row.payer_name,
      merchantAccountId: row.payer_merchant_account_id,
      email: row.payer_email,
      mobileNumber: row.payer_mobile_number,
      preferredLanguage: row.payer_preferred_language,
    },
    dueDate: row.due_date,
    displayMessage: row.display_message,
    invoiceNumber: row.invoice_number,
    businessUnit: row.business_unit,
    emailTemplateId: row.email_template_id,
    webhook:
      row.webhook_url !== null && row.webhook_url_field !== null
        ? { field: row.webhook_url_field, url: row.webhook_url }
        : null,
    metadata: row.metadata,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    shortCode: row.short_code,
    traceparent: row.trace_parent,
    status: row.status,
    statusReason:
      row.status_reason_code !== null
        ? { code: row.status_reason_code, message: row.status_reason_message ?? '' }
        : null,
    paidLate: row.paid_late,
    payment:
      row.payment_completed_at !== null
        ? {
            institution: row.payment_institution ?? '',
            networkReference: row.payment_network_reference ?? '',
            completedAt: row.payment_completed_at,
          }
        : null,
    version: row.version,
    webhookSequence: row.webhook_sequence,
    events: row.events.map(
      ([status, occurredAt]): StatusEvent => ({ status, occurredAt: new Date(occurredAt) }),
    ),
  };
}
