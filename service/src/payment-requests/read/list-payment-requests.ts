import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { CURSOR_FAULTS, cutPage, type Page } from '#lib/cursor.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { FieldFault } from '#lib/problem.ts';
import { type PaymentRequest, paymentRequestAt } from '#payment-requests/model/payment-request.ts';
import { fingerprintOf, type PaymentRequestFilters, readFilters } from './filters.ts';
import { decodeListCursor, encodeListCursor, type ListPosition } from './list-cursor.ts';
import { findPaymentRequestPage } from './list-store.ts';
import { DEFAULT_LIMIT, type ListQuery } from './schemas.ts';

export interface ListDeps {
  readonly db: Executor;
  readonly clock: Clock;
}

/**
 * A page of a merchant's payment requests, newest first, as they are now (contract §4, List).
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
): Promise<Page<PaymentRequest>> {
  const { filters, after } = readListQuery(merchantId, query, faults);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const now = clock.now();
  const asked = { merchantId, filters, now, after, limit: limit + 1 };
  const found = await findPaymentRequestPage(db, asked);
  return cutPage(
    found.map((each) => paymentRequestAt(each, now)),
    limit,
    (last) => encodeListCursor(fingerprintOf(merchantId, filters), last),
  );
}

/** @throws Problem VALIDATION_ERROR with all faults at once. */
export function readListQuery(
  merchantId: string,
  query: Partial<ListQuery>,
  schemaFaults: readonly FieldFault[],
): { readonly filters: PaymentRequestFilters; readonly after: ListPosition | null } {
  const { filters, faults } = readFilters(query);
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
