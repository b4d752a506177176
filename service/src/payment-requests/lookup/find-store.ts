import type { Executor, Statement } from '#database/database.ts';
import { allRows, firstValue } from '#database/statements.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { fromRow, type Row, SELECTED_COLUMNS } from '#payment-requests/model/row.ts';

/** A value of the latest message with the link; nothing is looked up where none is sent. */
export function linkMessage(value: string): string {
  return `CASE WHEN p.delivery_mode IN ('EMAIL', 'SMS') THEN (
    SELECT ${value} FROM messages g
    WHERE g.payment_request_id = p.id AND g.kind = 'REQUEST' ORDER BY g.number DESC LIMIT 1) END`;
}

/**
 * The columns that `fromRow` reads, in the tables of FROM. Each column has its name here: with `*`,
 * a migration that adds a column would break the prepared statements of running processes.
 */
export const COLUMNS = `${SELECTED_COLUMNS.map((column) => `p.${column}`).join(', ')},
  m.name AS merchant_name, (
  SELECT json_agg(json_build_array(e.status, (extract(epoch FROM e.occurred_at) * 1000)::bigint)
                  ORDER BY e.position)
  FROM payment_request_moves e WHERE e.payment_request_id = p.id) AS events,
  ${linkMessage(`json_build_array(g.id, g.status, g.reason, (extract(epoch FROM
    coalesce(g.ended_at, g.sent_at, g.due_at)) * 1000)::bigint)`)} AS link_message`;

export const FROM = 'FROM payment_requests p JOIN merchants m ON m.id = p.merchant_id';

const FIND: Statement = {
  name: 'payment-request-find',
  text: `SELECT ${COLUMNS} ${FROM} WHERE p.id = $1`,
};

/**
 * A single JSON parameter, whose length the planner cannot see: for an array it makes a plan for
 * the number of ids at hand each time, which takes longer than reading one.
 */
const FIND_MANY: Statement = {
  name: 'payment-request-find-many',
  text: `SELECT ${COLUMNS} ${FROM}
         WHERE p.id IN (SELECT value::uuid FROM json_array_elements_text($1::json))`,
};

/** The values by which people know a payment request. */
export interface NamedRequest extends Pick<PaymentRequest, 'id' | 'amountCents' | 'invoiceNumber'> {
  readonly merchantId: string;
  readonly payer: { readonly name: string | null };
}

/** In no order: a list of a hundred rows needs no more of its payment requests. */
export const findNames = allRows<NamedRequest, [ids: readonly string[]]>(
  'payment-request-find-names',
  `SELECT id::text, amount_cents AS "amountCents", invoice_number AS "invoiceNumber",
     merchant_id AS "merchantId", json_build_object('name', payer_name) AS payer
   FROM payment_requests
   WHERE id IN (SELECT value::uuid FROM json_array_elements_text($1::json))`,
  (ids) => [JSON.stringify(ids)],
);

/** Whether the merchant has used this merchantTransactionId before. */
export const hasTransactionId = firstValue<
  boolean,
  [merchantId: string, merchantTransactionId: string]
>(
  'payment-request-transaction-id-exists',
  `SELECT EXISTS (SELECT FROM payment_requests
   WHERE merchant_id = $1 AND merchant_transaction_id = $2) AS exists`,
  false,
);

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
