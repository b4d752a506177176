import type { Executor, Statement } from '#database/database.ts';
import { CLAIM_KEYS, claimsParameter, type KeyClaim } from '#idempotency/idempotency-store.ts';
import { compileMapping, type Origins } from '#lib/compile-mapping.ts';
import { formatInstant } from '#lib/instant.ts';
import { OWN_FIELDS } from '#payment-requests/model/field-lists.ts';
import type { Columns } from '#payment-requests/model/field-types.ts';
import type { NewPaymentRequest } from '#payment-requests/model/payment-request.ts';
import { COLUMN_ORIGINS, columnsOf, FIELD_COLUMNS } from '#payment-requests/model/row.ts';

/** A row's columns in SQL, each with its origin; the service's other columns have a default. */
const ORIGINS: Origins<NewPaymentRequest, NewRow> = {
  ...COLUMN_ORIGINS,
  id: (_, { identity }) => identity.id,
  merchant_id: (_, { identity }) => identity.merchantId,
  short_code: (_, { identity }) => identity.shortCode,
  request_id: (_, { identity }) => identity.requestId ?? undefined,
  trace_parent: (_, { identity }) => identity.traceparent ?? undefined,
  created_at: ({ createdAt }) => formatInstant(createdAt),
  unique_transaction_id: ({ merchantTransactionId }, { isTransactionIdUnique }) =>
    isTransactionIdUnique ? merchantTransactionId : undefined,
};

/** Leaves out columns without a value: PostgreSQL reads a shorter text. */
const toColumns = compileMapping<NewPaymentRequest, Record<string, unknown>, NewRow>(
  ORIGINS,
  'undefined',
);

const TYPES: Columns = { ...FIELD_COLUMNS, ...columnsOf(OWN_FIELDS) };
const COLUMNS = Object.keys(ORIGINS).join(', ');
const TYPED_COLUMNS = Object.keys(ORIGINS)
  .map((column) => `${column} ${TYPES[column]}`)
  .join(', ');

/**
 * Limits how long the statement waits for a lock, such as the foreign key's lock of a merchant.
 * PostgreSQL runs the sub-select once, before the first row; the setting ends with the transaction.
 */
const limitLockWait = (parameter: string) =>
  `(SELECT set_config('lock_timeout', ${parameter}, true)) IS NOT NULL`;

/** Any number of rows is one parameter, so that each connection prepares the statement once. */
const insertRows = (parameter: string) => `
  INSERT INTO payment_requests (${COLUMNS})
  SELECT ${COLUMNS}
  FROM json_to_recordset(${parameter}::json) AS asked (claim int, ${TYPED_COLUMNS})`;

const INSERT: Statement = {
  name: 'payment-request-insert',
  text: `${insertRows('$1')} WHERE ${limitLockWait('$2')}`,
};

const INSERT_WITH_KEYS: Statement = {
  name: 'payment-request-insert-with-keys',
  text: `WITH ${CLAIM_KEYS},
    inserted AS (${insertRows('$2')}
      WHERE ${limitLockWait('$3')}
        AND (claim IS NULL OR claim IN (SELECT number FROM claimed)))
    SELECT number FROM claimed`,
};

/** The values that the service adds to a new payment request. */
export interface NewIdentity {
  readonly id: string;
  readonly shortCode: string;
  readonly merchantId: string;
  /** The X-Request-Id of the creating call; null: no call creates the payment request. */
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

/** Equals the `lock_timeout` of every statement; see `database/`. */
const LONGEST_LOCK_WAIT_MS = 5_000;

/** Writes new payment requests in one statement; each row is its CREATED event, too. */
export async function insertPaymentRequests(
  executor: Executor,
  rows: readonly NewRow[],
  lockWaitMs: number = LONGEST_LOCK_WAIT_MS,
): Promise<void> {
  await executor.query(INSERT, [
    JSON.stringify(rows.map((row) => toColumns(row.asked, row))),
    `${lockWaitMs}ms`,
  ]);
}

export interface NewRowWithKey {
  readonly row: NewRow;
  /** The call and its answer; null for a call without a key. */
  readonly claim: Omit<KeyClaim, 'number'> | null;
}

/**
 * Writes the rows whose Idempotency-Key is free or absent, and the answers under these keys. The
 * one statement waits for no other call.
 *
 * @returns in the rows' order: whether the row was written. A key that is taken leads to a stored
 *          answer or to a call in progress: the caller looks it up.
 */
export async function insertWithKeys(
  executor: Executor,
  rows: readonly NewRowWithKey[],
  lockWaitMs: number = LONGEST_LOCK_WAIT_MS,
): Promise<readonly boolean[]> {
  const claims = rows.flatMap(({ claim }, number) => (claim ? [{ ...claim, number }] : []));
  const columns = rows.map(({ row, claim }, number) => ({
    ...(claim && { claim: number }),
    ...toColumns(row.asked, row),
  }));
  const values = [claimsParameter(claims), JSON.stringify(columns), `${lockWaitMs}ms`];
  const claimed = await executor.query<{ number: number }>(INSERT_WITH_KEYS, values);
  const written = new Set(claimed.map(({ number }) => number));
  return rows.map(({ claim }, number) => claim === null || written.has(number));
}
