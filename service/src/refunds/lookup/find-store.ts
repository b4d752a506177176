import type { Executor, Statement } from '#database/database.ts';
import type { Refund } from '#refunds/model/refund.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';

/** The columns of every statement that returns a refund, from `refunds as r`. */
export const COLUMNS = `r.id, r.payment_request_id AS "paymentRequestId",
  r.merchant_id AS "merchantId", r.merchant_refund_id AS "merchantRefundId",
  r.amount_cents AS "amountCents", r.status, r.status_reason_code AS "statusReasonCode",
  r.reason, r.message, r.webhook_url AS "webhookUrl", r.is_of_payment AS "isOfPayment",
  r.movement_reference AS "movementReference", r.operator_case_id AS "operatorCaseId",
  r.payment_network_reference AS "networkReference", r.payment_completed_at AS "completedAt",
  r.counted_on AS "countedOn", r.trace_parent AS traceparent, r.version,
  r.created_at AS "createdAt", (
  SELECT json_agg(json_build_array(e.status, (extract(epoch FROM e.occurred_at) * 1000)::bigint)
                  ORDER BY e.position)
  FROM refund_events e WHERE e.refund_id = r.id) AS events`;

const FIND: Statement = {
  name: 'refund-find',
  text: `SELECT ${COLUMNS} FROM refunds r WHERE r.id = $1`,
};

/** A single JSON parameter: an array makes the planner plan for its length each time. */
const FIND_MANY: Statement = {
  name: 'refund-find-many',
  text: `SELECT ${COLUMNS} FROM refunds r
         WHERE r.id IN (SELECT value::uuid FROM json_array_elements_text($1::json))`,
};

const FIND_OF_PAYMENTS: Statement = {
  name: 'refund-find-of-payments',
  text: `SELECT ${COLUMNS} FROM refunds r
         WHERE r.payment_request_id IN (SELECT value::uuid FROM json_array_elements_text($1::json))
         ORDER BY r.created_at, r.id`,
};

const FIND_BY_MERCHANT_REFUND_ID: Statement = {
  name: 'refund-find-by-merchant-refund-id',
  text: `SELECT ${COLUMNS}, r.body_hash AS "bodyHash" FROM refunds r
         JOIN json_to_recordset($1::json) AS asked (merchant_id text, merchant_refund_id text)
           USING (merchant_id, merchant_refund_id)`,
};

export interface RefundRow extends Omit<Refund, 'payment' | 'events'> {
  readonly networkReference: string | null;
  readonly completedAt: Date | null;
  /** Status and epoch milliseconds. */
  readonly events: readonly (readonly [RefundStatus, number])[];
}

export function fromRow({ networkReference, completedAt, events, ...kept }: RefundRow): Refund {
  return {
    ...kept,
    payment: completedAt && { networkReference: networkReference ?? '', completedAt },
    events: events.map(([status, at]) => ({ status, occurredAt: new Date(at) })),
  };
}

export async function findRefund(executor: Executor, id: string): Promise<Refund | null> {
  const [row] = await executor.query<RefundRow>(FIND, [id]);
  return row ? fromRow(row) : null;
}

/** Several at once, in no order; those that do not exist are left out. */
export async function findRefunds(executor: Executor, ids: readonly string[]): Promise<Refund[]> {
  return (await executor.query<RefundRow>(FIND_MANY, [JSON.stringify(ids)])).map(fromRow);
}

/** All refunds of these payment requests, oldest first. */
export async function findRefundsOfPayments(
  executor: Executor,
  paymentRequestIds: readonly string[],
): Promise<Refund[]> {
  const values = [JSON.stringify(paymentRequestIds)];
  return (await executor.query<RefundRow>(FIND_OF_PAYMENTS, values)).map(fromRow);
}

export interface MerchantRefundKey {
  readonly merchantId: string;
  readonly merchantRefundId: string;
}

/** A refund with the SHA-256 of the body that created it. */
export interface SentRefund {
  readonly refund: Refund;
  readonly bodyHash: Buffer;
}

/** The refunds that these merchants have created under these ids. */
export async function findByMerchantRefundIds(
  executor: Executor,
  keys: readonly MerchantRefundKey[],
): Promise<SentRefund[]> {
  if (keys.length === 0) return [];
  const asked = keys.map(({ merchantId, merchantRefundId }) => ({
    merchant_id: merchantId,
    merchant_refund_id: merchantRefundId,
  }));
  const rows = await executor.query<RefundRow & { readonly bodyHash: Buffer }>(
    FIND_BY_MERCHANT_REFUND_ID,
    [JSON.stringify(asked)],
  );
  return rows.map(({ bodyHash, ...row }) => ({ refund: fromRow(row), bodyHash }));
}
