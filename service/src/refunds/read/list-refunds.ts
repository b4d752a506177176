import type { Executor } from '#database/database.ts';
import type { OverviewReads } from '#database/replica/overview-reads.ts';
import { csvLine } from '#lib/csv.ts';
import { CURSOR_FAULTS, cutPage, type Page } from '#lib/cursor.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { formatInstant } from '#lib/instant.ts';
import { formatAmount } from '#lib/money.ts';
import type { FieldFault } from '#lib/problem.ts';
import {
  type CsvStream,
  pagingFaults,
  STREAM_BATCH,
  type StreamCalls,
  streamRows,
} from '#merchants/csv-streams/stream-rows.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import {
  decodeListCursor,
  encodeListCursor,
  type ListPosition,
} from '#payment-requests/read/list-cursor.ts';
import type { Refund } from '#refunds/model/refund.ts';
import type { RefundSettings } from '#refunds/model/render-json.ts';
import { fingerprintOf, type RefundFilters, readRefundFilters } from './filters.ts';
import { findRefundPage } from './list-store.ts';
import { DEFAULT_LIMIT, type RefundListQuery } from './schemas.ts';

/**
 * A page of a merchant's refunds, newest first (contract §11).
 * @throws Problem VALIDATION_ERROR with all faults at once, named by the parameters.
 */
export async function listRefunds(
  db: Executor,
  merchantId: string,
  query: Partial<RefundListQuery>,
  faults: readonly FieldFault[],
  paymentRequestId: string | null = null,
): Promise<Page<Refund>> {
  const { filters, after } = readListQuery(merchantId, query, faults, paymentRequestId);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const found = await findRefundPage(db, { merchantId, filters, after, limit: limit + 1 });
  const fingerprint = fingerprintOf(merchantId, filters);
  return cutPage(found, limit, (last) => encodeListCursor(fingerprint, last));
}

/**
 * A page of the refunds of one payment request.
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND, or VALIDATION_ERROR.
 */
export async function listRefundsOfPayment(
  db: Executor,
  merchantId: string,
  id: string,
  query: Partial<RefundListQuery>,
  faults: readonly FieldFault[],
): Promise<Page<Refund>> {
  const { id: paymentRequestId } = await findOwnPaymentRequest(db, merchantId, id);
  return listRefunds(db, merchantId, query, faults, paymentRequestId);
}

/** @throws Problem VALIDATION_ERROR with all faults of a stream's parameters at once. */
export function readStreamQuery(
  merchantId: string,
  query: Partial<RefundListQuery>,
  faults: readonly FieldFault[],
): RefundFilters {
  const paging = pagingFaults(query, ['limit', 'cursor']);
  return readListQuery(merchantId, query, [...paging, ...faults], null).filters;
}

export interface StreamDeps {
  /** Holds the one stream that the merchant may have. */
  readonly db: Executor;
  readonly reads: OverviewReads;
  readonly settings: RefundSettings;
}

/**
 * Streams a merchant's matching refunds, newest first, as CSV.
 * @throws Problem RATE_LIMITED while the merchant has another stream.
 */
export function streamRefunds(
  { db, reads, settings }: StreamDeps,
  merchantId: string,
  filters: RefundFilters,
  calls: StreamCalls,
): Promise<CsvStream> {
  async function next(after: Refund | null): Promise<Refund[]> {
    const asked = { merchantId, filters, after, limit: STREAM_BATCH };
    return (await reads.read((from) => findRefundPage(from, asked))).result;
  }
  const lineOf = (refund: Refund) =>
    csvLine(Object.values(CELLS).map((cellOf) => cellOf(refund, settings)));
  return streamRows(db, { merchantId, header: csvLine(Object.keys(CELLS)), lineOf, next }, calls);
}

type CellOf = (refund: Refund, settings: RefundSettings) => string | null;

/** The columns, with the names of the answer's members. */
const CELLS: Readonly<Record<string, CellOf>> = {
  id: ({ id }) => id,
  paymentRequestId: ({ paymentRequestId }) => paymentRequestId,
  merchantRefundId: ({ merchantRefundId }) => merchantRefundId,
  reason: ({ reason }) => reason,
  message: ({ message }) => message,
  amount: ({ amountCents }) => formatAmount(amountCents),
  currency: (_, { currency }) => currency,
  status: ({ status }) => status,
  'statusReason.code': ({ statusReasonCode }) => statusReasonCode,
  'payment.networkReference': ({ payment }) => payment?.networkReference ?? null,
  'payment.completedDateTime': ({ payment }) => payment && formatInstant(payment.completedAt),
  createdDateTime: ({ createdAt }) => formatInstant(createdAt),
};

function readListQuery(
  merchantId: string,
  query: Partial<RefundListQuery>,
  schemaFaults: readonly FieldFault[],
  paymentRequestId: string | null,
): { readonly filters: RefundFilters; readonly after: ListPosition | null } {
  const { filters, faults } = readRefundFilters(query, paymentRequestId);
  const found = [...schemaFaults, ...faults];
  const { cursor } = query;
  const after =
    typeof cursor === 'string'
      ? decodeListCursor(cursor, fingerprintOf(merchantId, filters))
      : null;
  if (typeof after !== 'string') {
    throwFaults(found);
    return { filters, after };
  }
  // Filters that cannot be read differ from the cursor's: the cursor has no fault then.
  const isRefused = after === 'NOT_A_CURSOR' || found.length === 0;
  throwFaults(isRefused ? [...found, CURSOR_FAULTS[after]] : found);
  return { filters, after: null };
}
