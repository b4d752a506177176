import type { Executor, Statement } from '#database/database.ts';
import { CLAIM_KEYS, claimsParameter, type KeyClaim } from '#idempotency/idempotency-store.ts';
import { formatInstant } from '#lib/instant.ts';
import type { NewPaymentRequest } from '#payment-requests/model/payment-request.ts';

const COLUMNS = `
  id, merchant_id, merchant_transaction_id, unique_transaction_id, amount_cents, type,
  delivery_mode, payer_name, payer_merchant_account_id, payer_email, payer_mobile_number,
  payer_preferred_language, due_date, display_message, invoice_number, business_unit,
  email_template_id, webhook_url, webhook_url_field, metadata, short_code, request_id, trace_parent,
  created_at, expires_at`;

/**
 * How long the statement waits for a lock, such as its merchants' rows for the foreign key. The
 * sub-select is run once, before the first row; the setting ends with the transaction.
 */
const limitLockWait = (parameter: string) =>
  `(SELECT set_config('lock_timeout', ${parameter}, true)) IS NOT NULL`;

/** One parameter whatever the number of rows, so that the statement is prepared once. */
const insertRows = (parameter: string) => `INSERT INTO payment_requests (${COLUMNS})
  SELECT ${COLUMNS}
  FROM json_to_recordset(${parameter}::json) AS asked (
    claim int, id uuid, merchant_id text, merchant_transaction_id text, unique_transaction_id text,
    amount_cents bigint, type text, delivery_mode text, payer_name text,
    payer_merchant_account_id text, payer_email text, payer_mobile_number text,
    payer_preferred_language text, due_date date, display_message text, invoice_number text,
    business_unit text, email_template_id text, webhook_url text, webhook_url_field text,
    metadata json, short_code text, request_id text, trace_parent text,
    created_at timestamptz, expires_at timestamptz)`;

const INSERT_EVENTS = `
  INSERT INTO payment_request_events (payment_request_id, position, status, cause, occurred_at)
  SELECT id, 1, 'CREATED', 'CREATED', created_at FROM inserted`;

const INSERT: Statement = {
  name: 'payment-request-insert',
  text: `WITH inserted AS (${insertRows('$1')}
      WHERE ${limitLockWait('$2')}
      RETURNING id, created_at) ${INSERT_EVENTS}`,
};

const INSERT_WITH_KEYS: Statement = {
  name: 'payment-request-insert-with-keys',
  text: `WITH ${CLAIM_KEYS},
    inserted AS (${insertRows('$2')}
      WHERE ${limitLockWait('$3')}
        AND (claim IS NULL OR claim IN (SELECT number FROM claimed))
      RETURNING id, created_at),
    events AS (${INSERT_EVENTS})
    SELECT number FROM claimed`,
};

/** What a new payment request is known by. */
export interface NewIdentity {
  readonly id: string;
  readonly shortCode: string;
  readonly merchantId: string;
  /** The call that creates the payment request; null: it is not created by a call. */
  readonly requestId: string | null;
  /** The W3C trace of that call. */
  readonly traceparent: string | null;
}

export interface NewRow {
  readonly identity: NewIdentity;
  readonly asked: NewPaymentRequest;
  /** Whether the merchant's setting forbids to use the merchantTransactionId again. */
  readonly isTransactionIdUnique: boolean;
}

/** The `lock_timeout` of every statement; see `database/`. */
const LONGEST_LOCK_WAIT_MS = 5_000;

/** Writes new payment requests and their CREATED events, in one statement. */
export async function insertPaymentRequests(
  executor: Executor,
  rows: readonly NewRow[],
  lockWaitMs: number = LONGEST_LOCK_WAIT_MS,
): Promise<void> {
  await executor.query(INSERT, [JSON.stringify(rows.map(columnsOf)), `${lockWaitMs}ms`]);
}

export interface NewRowWithKey {
  readonly row: NewRow;
  /** The call and what it is answered; null for a call without a key. */
  readonly claim: Omit<KeyClaim, 'number'> | null;
}

/**
 * Writes those of which the call's key is free, with the answers under their keys, in one statement
 * that waits for no other call.
 *
 * @returns in the rows' order: whether it was written. What a key holds that is not free is to be
 *          looked up: an answer, or a call under way.
 */
export async function insertWithKeys(
  executor: Executor,
  rows: readonly NewRowWithKey[],
  lockWaitMs: number = LONGEST_LOCK_WAIT_MS,
): Promise<readonly boolean[]> {
  const claims = rows.flatMap(({ claim }, number) => (claim ? [{ ...claim, number }] : []));
  const columns = rows.map(({ row, claim }, number) =>
    claim ? { claim: number, ...columnsOf(row) } : columnsOf(row),
  );
  const values = [claimsParameter(claims), JSON.stringify(columns), `${lockWaitMs}ms`];
  const claimed = await executor.query<{ number: number }>(INSERT_WITH_KEYS, values);
  const written = new Set(claimed.map(({ number }) => number));
  return rows.map(({ claim }, number) => claim === null || written.has(number));
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
    request_id: identity.requestId,
    trace_parent: identity.traceparent,
    created_at: formatInstant(asked.createdAt),
    expires_at: formatInstant(asked.expiresAt),
  };
}
