import type { Executor, Statement } from '#database/database.ts';
import type { CreatedRange } from '#database/lists/created-range.ts';
import type { PageQuery } from '#database/lists/list.ts';
import type { TimePlace } from '#lib/cursor.ts';
import { COLUMNS, fromRow, type RefundRow } from '#refunds/lookup/find-store.ts';
import type { Refund } from '#refunds/model/refund.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';

/** The filters of a list of refunds; null for a filter that the caller left out. */
export interface RefundFilters extends CreatedRange {
  readonly paymentRequestId: string | null;
  readonly statuses: readonly RefundStatus[] | null;
  readonly merchantRefundId: string | null;
}

type RefundPageQuery = PageQuery<RefundFilters, TimePlace>;

/**
 * Every page of the list without filters. Sub-selects hide the values from the planner, so that one
 * plan serves all merchants, as for the list of payment requests (decision 0080).
 */
const NEWEST: Statement = {
  name: 'refund-page-newest',
  text: `SELECT ${COLUMNS} FROM (
      SELECT * FROM refunds
      WHERE merchant_id = (SELECT $1::text)
        AND (created_at, id) < ((SELECT $3::timestamptz), (SELECT $4::uuid))
      ORDER BY merchant_id, created_at DESC, id DESC LIMIT (SELECT $2::int)) r
    ORDER BY r.merchant_id, r.created_at DESC, r.id DESC`,
};
/** After every row: the position of a first page. */
const START = { createdAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' } as const;

/** Reads a page of a merchant's refunds, newest first. */
export async function findRefundPage(
  executor: Executor,
  asked: RefundPageQuery,
): Promise<Refund[]> {
  const { statement, values } = refundPage(asked);
  return (await executor.query<RefundRow>(statement, values)).map(fromRow);
}

/**
 * Builds the statement of a page; exported for EXPLAIN. With filters it has no name, so that
 * PostgreSQL plans each execution for its values.
 */
export function refundPage({ merchantId, filters, after, limit }: RefundPageQuery): {
  readonly statement: Statement;
  readonly values: readonly unknown[];
} {
  if (Object.values(filters).every((value) => value === null)) {
    const { createdAt, id } = after ?? START;
    return { statement: NEWEST, values: [merchantId, limit, createdAt, id] };
  }
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
  return { statement: { name: '', text }, values };
}
