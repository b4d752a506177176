import type { Executor } from '#database/database.ts';
import type { OverviewReads } from '#database/replica/overview-reads.ts';
import { SharedRuns } from '#database/share-runs.ts';
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

/** A page for all calls that share its statement. */
export interface SharedPage {
  readonly page: Page<PaymentRequest>;
  /** Seconds behind the primary at most; null: the primary answered. */
  readonly lagSeconds: number | null;
  /** The page as the body of an answer: rendered by the first call, sent by all. */
  body?: Buffer;
}

export type ReadSharedPage = (
  merchantId: string,
  query: Partial<ListQuery>,
  faults: readonly FieldFault[],
) => Promise<SharedPage>;

/**
 * Makes the reading of pages that equal calls share: of the same merchant, with the same
 * parameters. After an event all open pages of a merchant ask for the same list at once. The result
 * throws what `listPaymentRequests` throws, and DatabaseUnavailable when too many calls wait.
 */
export function sharePages(reads: OverviewReads, clock: Clock): ReadSharedPage {
  const runs = new SharedRuns<SharedPage>();
  return (merchantId, query, faults) => {
    const read = async () => {
      const { result: page, lagSeconds } = await reads.read((db) =>
        listPaymentRequests({ db, clock }, merchantId, query, faults),
      );
      return { page, lagSeconds };
    };
    // Two queries with other faults may be equal: the schema's faults name what it took out.
    return faults.length > 0 ? read() : runs.run(JSON.stringify([merchantId, query]), read);
  };
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
