import type { Executor } from '#database/database.ts';
import { COLUMNS, fromRow, type RefundRow } from '#refunds/lookup/find-store.ts';
import type { Refund } from '#refunds/model/refund.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';

/** null: all. */
export interface OperatorFilters {
  readonly merchantId: string | null;
  readonly status: RefundStatus | null;
  readonly paymentRequestId: string | null;
}

const FIND = {
  name: '',
  text: `SELECT ${COLUMNS} FROM refunds r
         WHERE ($1::text IS NULL OR r.merchant_id = $1)
           AND ($2::text IS NULL OR r.status = $2)
           AND ($3::uuid IS NULL OR r.payment_request_id = $3)
         ORDER BY r.created_at DESC, r.id DESC LIMIT $4`,
};

/** Newest first. */
export async function findRefundsForOperator(
  executor: Executor,
  { merchantId, status, paymentRequestId }: OperatorFilters,
  most: number,
): Promise<Refund[]> {
  const values = [merchantId, status, paymentRequestId, most];
  return (await executor.query<RefundRow>(FIND, values)).map(fromRow);
}
