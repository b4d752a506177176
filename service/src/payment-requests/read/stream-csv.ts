import type { Database } from '#database/database.ts';
import type { OverviewReads } from '#database/replica/overview-reads.ts';
import type { Clock } from '#lib/clock.ts';
import type { FieldFault } from '#lib/problem.ts';
import {
  type CsvStream,
  pagingFaults,
  STREAM_BATCH,
  type StreamCalls,
  streamRows,
} from '#merchants/csv-streams/stream-rows.ts';
import { type PaymentRequest, paymentRequestAt } from '#payment-requests/model/payment-request.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import { CSV_HEADER, paymentRequestLine } from './csv-columns.ts';
import type { PaymentRequestFilters } from './filters.ts';
import { readListQuery } from './list-payment-requests.ts';
import { findPaymentRequestPage } from './list-store.ts';
import type { ListQuery } from './schemas.ts';

export interface StreamDeps {
  /** Holds the one stream that the merchant may have. */
  readonly db: Database;
  readonly reads: OverviewReads;
  readonly clock: Clock;
  readonly settings: PublicSettings;
}

/** With fewer matches than this, the index of amounts is used instead of further batches. */
const ENOUGH = 100;

/** @throws Problem VALIDATION_ERROR with all faults of a stream's parameters at once. */
export function readStreamQuery(
  merchantId: string,
  query: Partial<ListQuery>,
  faults: readonly FieldFault[],
): PaymentRequestFilters {
  const paging = pagingFaults(query, ['limit', 'cursor']);
  return readListQuery(merchantId, query, [...paging, ...faults]).filters;
}

/**
 * Streams a merchant's matching payment requests, newest first, as CSV (contract §4, List).
 * @throws Problem RATE_LIMITED while the merchant has another stream.
 */
export function streamPaymentRequests(
  { db, reads, clock, settings }: StreamDeps,
  merchantId: string,
  filters: PaymentRequestFilters,
  calls: StreamCalls,
): Promise<CsvStream> {
  async function next(after: PaymentRequest | null): Promise<PaymentRequest[]> {
    const now = clock.now();
    const asked = { merchantId, filters, now, after, limit: STREAM_BATCH, enough: ENOUGH };
    const { result: found } = await reads.read((from) => findPaymentRequestPage(from, asked));
    return found.map((each) => paymentRequestAt(each, now));
  }
  const lineOf = (row: PaymentRequest) => paymentRequestLine(row, settings);
  return streamRows(db, { merchantId, header: CSV_HEADER, lineOf, next }, calls);
}
