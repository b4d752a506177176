import { createdRangeFaults, readCreatedRange } from '#database/lists/created-range.ts';
import { type List, makeList, type ReadFilters } from '#database/lists/list.ts';
import { csvForm } from '#lib/csv.ts';
import { TIME_PLACE } from '#lib/cursor.ts';
import { formatInstant } from '#lib/instant.ts';
import { formatAmount } from '#lib/money.ts';
import type { FieldFault } from '#lib/problem.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { REFUND_STATUSES } from '#refunds/model/statuses.ts';
import { findRefundPage, type RefundFilters } from './list-store.ts';
import { type RefundListQuery, RefundListQuerySchema } from './schemas.ts';

/** Reads the filters from a list's parameters, with the faults that no schema finds. */
export function readRefundFilters(query: Partial<RefundListQuery>): ReadFilters<RefundFilters> {
  const faults: FieldFault[] = [];
  const { status, merchantRefundId, paymentRequestId } = query;
  const filters: RefundFilters = {
    paymentRequestId: typeof paymentRequestId === 'string' ? paymentRequestId.toLowerCase() : null,
    statuses: Array.isArray(status)
      ? REFUND_STATUSES.filter((each) => status.includes(each))
      : null,
    merchantRefundId: typeof merchantRefundId === 'string' ? merchantRefundId : null,
    ...readCreatedRange(query, faults),
  };
  return { filters, faults: [...faults, ...createdRangeFaults(filters)] };
}

export type RefundList = List<RefundListQuery, Refund>;

/**
 * A merchant's refunds, newest first (contract §11).
 * @param currency the deployment's
 */
export function refundList({ currency }: { readonly currency: string }): RefundList {
  return makeList({
    name: 'refunds',
    schema: RefundListQuerySchema,
    readFilters: readRefundFilters,
    identityOf: (merchantId, filters) => ['refunds', merchantId, filters],
    place: TIME_PLACE,
    placeOf: (row: Refund) => row,
    find: findRefundPage,
    // The columns have the names of the answer's members.
    csv: csvForm({
      id: ({ id }) => id,
      paymentRequestId: ({ paymentRequestId }) => paymentRequestId,
      merchantRefundId: ({ merchantRefundId }) => merchantRefundId,
      reason: ({ reason }) => reason,
      message: ({ message }) => message,
      amount: ({ amountCents }) => formatAmount(amountCents),
      currency: () => currency,
      status: ({ status }) => status,
      'statusReason.code': ({ statusReasonCode }) => statusReasonCode,
      'payment.networkReference': ({ payment }) => payment?.networkReference ?? null,
      'payment.completedDateTime': ({ payment }) => payment && formatInstant(payment.completedAt),
      createdDateTime: ({ createdAt }) => formatInstant(createdAt),
    }),
  });
}
