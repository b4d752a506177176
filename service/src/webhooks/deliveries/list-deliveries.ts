import type { Executor } from '#database/database.ts';
import { CURSOR_FAULTS, cutPage, type Page } from '#lib/cursor.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { FieldFault } from '#lib/problem.ts';
import { DELIVERY_STATUSES, type WebhookDelivery } from '#webhooks/model/delivery.ts';
import { decodeDeliveryCursor, encodeDeliveryCursor } from './cursor.ts';
import { type DeliveryFilters, findDeliveryPage } from './list-store.ts';
import { DEFAULT_LIMIT, type DeliveryQuery } from './schemas.ts';

/**
 * A page of a merchant's deliveries, newest first (delivery §3).
 *
 * @param faults what the schema found wrong with the parameters
 * @throws Problem VALIDATION_ERROR with all faults at once, named by the parameters
 */
export async function listDeliveries(
  db: Executor,
  merchantId: string,
  query: Partial<DeliveryQuery>,
  faults: readonly FieldFault[],
): Promise<Page<WebhookDelivery>> {
  throwFaults(faults);
  const filters = readDeliveryFilters(query);
  const after = readCursor(query.cursor, filters);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const asked = { merchantId, filters, after, limit: limit + 1 };
  const found = await findDeliveryPage(db, asked);
  return cutPage(found, limit, ({ id }) => encodeDeliveryCursor(filters, id));
}

/** The filters of a list's parameters, in which the schema has found no fault. */
export function readDeliveryFilters(query: Partial<DeliveryQuery>): DeliveryFilters {
  return {
    paymentRequestId: query.paymentRequestId?.toLowerCase() ?? null,
    endpointId: query.endpointId?.toLowerCase() ?? null,
    statuses: readStatuses(query.status),
  };
}

function readStatuses(asked: DeliveryQuery['status']): DeliveryFilters['statuses'] {
  const statuses = DELIVERY_STATUSES.filter((each) => asked?.includes(each) ?? true);
  return statuses.length === DELIVERY_STATUSES.length ? null : statuses;
}

function readCursor(cursor: string | undefined, filters: DeliveryFilters): string | null {
  if (cursor === undefined) return null;
  const position = decodeDeliveryCursor(cursor, filters);
  if (typeof position === 'object') return position.id;
  throwFaults([CURSOR_FAULTS[position]]);
  return null;
}
