import type { Executor } from '#database/database.ts';
import type { ListPosition } from '#payment-requests/read/list-cursor.ts';
import { COLUMNS, fromRow, type RefundRow } from '#refunds/lookup/find-store.ts';
import type { Refund } from '#refunds/model/refund.ts';
import type { RefundFilters } from './filters.ts';

export interface RefundPageAsked {
  readonly merchantId: string;
  readonly filters: RefundFilters;
  /** The last row of the previous page; null for the first page. */
  readonly after: ListPosition | null;
  readonly limit: number;
}

/**
 * Reads a page of a merchant's refunds, newest first. The statement has no name, so that
 * PostgreSQL plans each execution for its filters.
 */
export async function findRefundPage(
  executor: Executor,
  { merchantId, filters, after, limit }: RefundPageAsked,
): Promise<Refund[]> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { paymentRequestId, statuses, merchantRefundId, createdFrom, createdTo } = filters;
  const conditions = [
    `r.merchant_id = ${bind(merchantId)}`,
    ...(paymentRequestId === null ? [] : [`r.payment_request_id = ${bind(paymentRequestId)}`]),
    ...(statuses === null ? [] : [`r.status = ANY (${bind(statuses)}::text[])`]),
    ...(merchantRefundId === null ? [] : [`r.merchant_refund_id = ${bind(merchantRefundId)}`]),
    ...(createdFrom === null ? [] : [`r.created_at >= ${bind(createdFrom)}`]),
    ...(createdTo === null ? [] : [`r.created_at < ${bind(createdTo)}`]),
    ...(after === null
      ? []
      : [`(r.created_at, r.id) < (${bind(after.createdAt)}, ${bind(after.id)})`]),
  ];
  const text = `SELECT ${COLUMNS} FROM refunds r WHERE ${conditions.join(' AND ')}
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${bind(limit)}`;
  return (await executor.query<RefundRow>({ name: '', text }, values)).map(fromRow);
}
