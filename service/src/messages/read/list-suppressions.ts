import { type List, makeList } from '#database/lists/list.ts';
import { memberForm } from '#lib/csv.ts';
import { TIME_PLACE } from '#lib/cursor.ts';
import { findSuppressionPage, type ListedSuppression } from './suppression-list-store.ts';

export type { ListedSuppression };

export interface SuppressionQuery {
  readonly reason: string;
  readonly channel: string;
  readonly limit: number;
  readonly cursor: string;
}

/** The addresses that messages do not reach, as hashes of nothing but the row, newest first. */
export const SUPPRESSION_LIST: List<SuppressionQuery, ListedSuppression, string | null> = makeList({
  name: 'suppressions',
  schema: { properties: {} },
  readFilters: ({ reason, channel }: Partial<SuppressionQuery>) => ({
    filters: { reason: reason ?? null, channel: channel ?? null },
    faults: [],
  }),
  identityOf: (merchantId, filters) => ['suppressions', merchantId, filters],
  place: TIME_PLACE,
  placeOf: ({ createdAt, messageId: id }: ListedSuppression) => ({ createdAt, id }),
  find: findSuppressionPage,
  csv: memberForm<ListedSuppression>(
    ...(['merchantId', 'channel', 'reason', 'paymentRequestId', 'createdAt'] as const),
  ),
});
