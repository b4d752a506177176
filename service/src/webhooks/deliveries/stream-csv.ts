import type { Executor } from '#database/database.ts';
import { type CsvCell, csvLine } from '#lib/csv.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { formatInstant } from '#lib/instant.ts';
import type { FieldFault } from '#lib/problem.ts';
import {
  type CsvStream,
  pagingFaults,
  STREAM_BATCH,
  type StreamCalls,
  streamRows,
} from '#merchants/csv-streams/stream-rows.ts';
import type { WebhookDelivery } from '#webhooks/model/delivery.ts';
import { readDeliveryFilters } from './list-deliveries.ts';
import { findDeliveryPage } from './list-store.ts';
import { deliveryMembers } from './render-json.ts';
import type { DeliveryQuery } from './schemas.ts';

type CellOf = (delivery: WebhookDelivery) => CsvCell;

/** The columns, with the names of the answer's members. */
const CELLS: Readonly<Record<string, CellOf>> = {
  id: ({ id }) => id,
  eventId: ({ eventId }) => eventId,
  eventType: ({ eventType }) => eventType,
  paymentRequestId: ({ paymentRequestId }) => paymentRequestId,
  endpointId: ({ endpointId }) => endpointId,
  url: ({ url }) => url,
  status: ({ status }) => status,
  'statusReason.code': (delivery) => deliveryMembers(delivery).statusReason?.code ?? null,
  attempts: ({ attempts }) => ({ decimal: `${attempts}` }),
  nextAttemptDateTime: ({ nextAttemptAt }) => nextAttemptAt && formatInstant(nextAttemptAt),
  createdDateTime: ({ createdAt }) => formatInstant(createdAt),
  completedDateTime: ({ completedAt }) => completedAt && formatInstant(completedAt),
};

/**
 * Streams a merchant's matching deliveries, newest first, as CSV.
 *
 * @param faults what the schema found wrong with the parameters
 * @throws Problem VALIDATION_ERROR; RATE_LIMITED while the merchant has another stream
 */
export async function streamDeliveries(
  db: Executor,
  merchantId: string,
  query: Partial<DeliveryQuery>,
  faults: readonly FieldFault[],
  calls: StreamCalls,
): Promise<CsvStream> {
  throwFaults([...pagingFaults(query, ['limit', 'cursor']), ...faults]);
  const filters = readDeliveryFilters(query);
  const next = (last: WebhookDelivery | null) =>
    findDeliveryPage(db, { merchantId, filters, after: last?.id ?? null, limit: STREAM_BATCH });
  const lineOf = (row: WebhookDelivery) =>
    csvLine(Object.values(CELLS).map((cellOf) => cellOf(row)));
  return streamRows(db, { merchantId, header: csvLine(Object.keys(CELLS)), lineOf, next }, calls);
}
