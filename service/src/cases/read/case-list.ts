import { type List, makeList } from '#database/lists/list.ts';
import type { CsvForm } from '#lib/csv.ts';
import { TIME_PLACE, type TimePlace } from '#lib/cursor.ts';
import type { CaseState, ShownKind } from '../model/case-kinds.ts';
import { type CaseFilters, type CaseWithRequests, findCasePage } from './case-list-store.ts';
import { ownCase } from './own-case.ts';

/** The parameters of a list of cases. */
export interface CaseQuery {
  /** Left out: open. */
  readonly state: CaseState;
  readonly kind: ShownKind;
  /** Only for operators: the cases of one merchant. */
  readonly merchant: string;
  readonly paymentRequestId: string;
  /** Instants. */
  readonly openedFrom: string;
  readonly openedTo: string;
  readonly limit: number;
  readonly cursor: string;
}

export type { CaseWithRequests };
export type CaseList = List<CaseQuery, CaseWithRequests, string | null>;

/** The cases of one merchant as the merchant may see them, or of all; newest first. */
export function caseList(csv: CsvForm<CaseWithRequests>): CaseList {
  return makeList<CaseQuery, CaseFilters, TimePlace, CaseWithRequests, string | null>({
    name: 'cases',
    schema: { properties: {} },
    readFilters: (query) => ({ filters: filtersOf(query), faults: [] }),
    identityOf: (merchantId, filters) => ['cases', merchantId, filters],
    place: TIME_PLACE,
    placeOf: ({ openedAt, id }) => ({ createdAt: openedAt, id }),
    async find(db, { merchantId, filters, after, limit }) {
      const owner = merchantId ?? filters.merchantId;
      const asked = { filters: { ...filters, merchantId: owner }, after, limit };
      return (await findCasePage(db, asked)).map((each) => ownCase(each, owner));
    },
    csv,
  });
}

function filtersOf(query: Partial<CaseQuery>): CaseFilters {
  const { state = 'open', kind, merchant, paymentRequestId, openedFrom, openedTo } = query;
  return {
    state,
    kind: kind ?? null,
    merchantId: merchant ?? null,
    paymentRequestId: paymentRequestId ?? null,
    openedFrom: openedFrom ? new Date(openedFrom) : null,
    openedTo: openedTo ? new Date(openedTo) : null,
  };
}
