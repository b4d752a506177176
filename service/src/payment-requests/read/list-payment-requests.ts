import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import { type PaymentRequest, paymentRequestAt } from '#payment-requests/model/payment-request.ts';
import { fingerprintOf, type PaymentRequestFilters, readFilters } from './filters.ts';
import { decodeCursor, encodeCursor, type ListPosition } from './list-cursor.ts';
import { findPaymentRequestPage } from './list-store.ts';
import { DEFAULT_LIMIT, type ListQuery } from './schemas.ts';

export interface ListDeps {
  readonly db: Executor;
  readonly clock: Clock;
}

export interface PaymentRequestPage {
  /** Newest first, as they are now. */
  readonly data: readonly PaymentRequest[];
  /** Begins the next page; null on the last. */
  readonly nextCursor: string | null;
}

/**
 * A page of a merchant's payment requests (contract §4, List).
 *
 * @param query  the parameters as they were sent.
 * @param faults what the schema found wrong with them.
 * @throws Problem VALIDATION_ERROR with all faults at once, named by the parameters.
 */
export async function listPaymentRequests(
  { db, clock }: ListDeps,
  merchantId: string,
  query: Partial<ListQuery>,
  faults: readonly FieldFault[],
): Promise<PaymentRequestPage> {
  const { filters, after } = readListQuery(merchantId, query, faults);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const now = clock.now();
  // One more than asked for tells whether there are more.
  const found = await findPaymentRequestPage(db, {
    merchantId,
    filters,
    now,
    after,
    limit: limit + 1,
  });
  const data = found.slice(0, limit).map((each) => paymentRequestAt(each, now));
  const last = found.length > limit ? data.at(-1) : undefined;
  return { data, nextCursor: last ? encodeCursor(fingerprintOf(merchantId, filters), last) : null };
}

/** @throws Problem VALIDATION_ERROR with all faults at once. */
export function readListQuery(
  merchantId: string,
  query: Partial<ListQuery>,
  schemaFaults: readonly FieldFault[],
): { readonly filters: PaymentRequestFilters; readonly after: ListPosition | null } {
  const { filters, faults } = readFilters(query);
  const found = [...schemaFaults];
  const add = (fault: FieldFault) => {
    if (!found.some(({ field }) => field === fault.field)) found.push(fault);
  };
  for (const fault of faults) add(fault);
  const position = readCursor(query, fingerprintOf(merchantId, filters));
  if (position === 'NOT_A_CURSOR') add(CURSOR_FAULTS.NOT_A_CURSOR);
  // Filters that cannot be read are other filters than the cursor's: no fault of the cursor.
  if (position === 'OTHER_FILTERS' && found.length === 0) add(CURSOR_FAULTS.OTHER_FILTERS);
  if (found.length > 0) throw new Problem('VALIDATION_ERROR', { errors: found });
  return { filters, after: typeof position === 'string' ? null : position };
}

function readCursor({ cursor }: Partial<ListQuery>, fingerprint: Buffer) {
  return typeof cursor === 'string' ? decodeCursor(cursor, fingerprint) : null;
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
