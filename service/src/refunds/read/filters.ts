import { createHash } from 'node:crypto';
import { INSTANT_FORM, parseInstant } from '#lib/instant.ts';
import type { FieldFault } from '#lib/problem.ts';
import { REFUND_STATUSES, type RefundStatus } from '#refunds/model/statuses.ts';
import type { RefundListQuery } from './schemas.ts';

/** The filters of a list of refunds; null for a filter that the caller left out. */
export interface RefundFilters {
  readonly paymentRequestId: string | null;
  readonly statuses: readonly RefundStatus[] | null;
  readonly merchantRefundId: string | null;
  /** Inclusive. */
  readonly createdFrom: Date | null;
  /** Exclusive. */
  readonly createdTo: Date | null;
}

/** Reads the filters from a list's parameters, with the faults that no schema finds. */
export function readRefundFilters(
  query: Partial<RefundListQuery>,
  ofPaymentRequest: string | null,
): { readonly filters: RefundFilters; readonly faults: readonly FieldFault[] } {
  const faults: FieldFault[] = [];
  const { status, merchantRefundId, paymentRequestId } = query;
  const filters: RefundFilters = {
    paymentRequestId:
      ofPaymentRequest ??
      (typeof paymentRequestId === 'string' ? paymentRequestId.toLowerCase() : null),
    statuses: Array.isArray(status)
      ? REFUND_STATUSES.filter((each) => status.includes(each))
      : null,
    merchantRefundId: typeof merchantRefundId === 'string' ? merchantRefundId : null,
    createdFrom: readInstant('createdFrom', query, faults),
    createdTo: readInstant('createdTo', query, faults),
  };
  const { createdFrom, createdTo } = filters;
  if (createdFrom && createdTo && createdTo < createdFrom) {
    const message = 'Give createdTo no earlier than createdFrom.';
    faults.push({ field: 'createdTo', code: 'INVALID_VALUE', message });
  }
  return { filters, faults };
}

/** Identifies a set of filters: a cursor is valid only with the filters of its first page. */
export function fingerprintOf(merchantId: string, filters: RefundFilters): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(['refunds', merchantId, filters]))
    .digest();
}

function readInstant(
  field: 'createdFrom' | 'createdTo',
  query: Partial<RefundListQuery>,
  faults: FieldFault[],
): Date | null {
  const text = query[field];
  if (typeof text !== 'string') return null;
  const instant = parseInstant(text);
  if (!instant) {
    const message = `Give ${field} ${INSTANT_FORM}.`;
    faults.push({ field, code: 'INVALID_FORMAT', message });
    return null;
  }
  // Instants are stored in milliseconds; one between two of them means the later.
  const isBetween = /\.\d{3}\d*[1-9]/.test(text);
  return isBetween ? new Date(instant.getTime() + 1) : instant;
}
