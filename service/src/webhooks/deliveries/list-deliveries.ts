import type { Executor } from '#database/database.ts';
import type { FieldFault } from '#lib/problem.ts';
import { throwFaults } from '#webhooks/endpoints/check-fields.ts';
import type { WebhookDelivery } from '#webhooks/model/delivery.ts';
import { decodeDeliveryCursor, encodeDeliveryCursor } from './cursor.ts';
import { type DeliveryFilters, findDeliveryPage } from './list-store.ts';
import { DEFAULT_LIMIT, type DeliveryQuery } from './schemas.ts';

export interface DeliveryPage {
  /** Newest first. */
  readonly data: readonly WebhookDelivery[];
  /** Begins the next page; null on the last. */
  readonly nextCursor: string | null;
}

/**
 * A page of a merchant's deliveries (delivery §3).
 *
 * @param faults what the schema found wrong with the parameters
 * @throws Problem VALIDATION_ERROR with all faults at once, named by the parameters
 */
export async function listDeliveries(
  db: Executor,
  merchantId: string,
  query: Partial<DeliveryQuery>,
  faults: readonly FieldFault[],
): Promise<DeliveryPage> {
  throwFaults(faults);
  const filters: DeliveryFilters = {
    paymentRequestId: query.paymentRequestId?.toLowerCase() ?? null,
    endpointId: query.endpointId?.toLowerCase() ?? null,
    status: query.status ?? null,
  };
  const after = readCursor(query.cursor, filters);
  const limit = query.limit ?? DEFAULT_LIMIT;
  // One more than asked for tells whether there are more.
  const asked = { merchantId, filters, after, limit: limit + 1 };
  const found = await findDeliveryPage(db, asked);
  const data = found.slice(0, limit);
  const last = found.length > limit ? data.at(-1) : undefined;
  return { data, nextCursor: last ? encodeDeliveryCursor(filters, last.id) : null };
}

function readCursor(cursor: string | undefined, filters: DeliveryFilters): string | null {
  if (cursor === undefined) return null;
  const position = decodeDeliveryCursor(cursor, filters);
  if (typeof position === 'object') return position.id;
  throwFaults([CURSOR_FAULTS[position]]);
  return null;
}

const CURSOR_FAULTS = {
  NOT_A_CURSOR: {
    field: 'cursor',
    code: 'INVALID_FORMAT',
    message: 'Give cursor as the nextCursor of an earlier page.',
  },
  OTHER_FILTERS: {
    field: 'cursor',
    code: 'INVALID_VALUE',
    message: 'Give cursor with the filters of the page that it came from.',
  },
} as const satisfies Record<string, FieldFault>;
