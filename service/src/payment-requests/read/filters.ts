import {
  type CreatedRange,
  createdRangeFaults,
  readCreatedRange,
} from '#database/lists/created-range.ts';
import type { ReadFilters } from '#database/lists/list.ts';
import { type AmountFault, parseAmountCents } from '#lib/money.ts';
import type { FieldFault } from '#lib/problem.ts';
import { EQUALITY_FILTERS, type EqualityFilter } from '#payment-requests/model/field-lists.ts';
import { STATUSES, type Status } from '#payment-requests/model/statuses.ts';
import type { ListQuery } from './schemas.ts';

/** The stored value of a field equals the parameter of the field's name. */
type EqualityFilters = { readonly [Name in EqualityFilter]: string | null };

/** The filters of a list; null for a filter that the caller left out. */
export interface PaymentRequestFilters extends EqualityFilters, CreatedRange {
  /** In the order of STATUSES; null as well when the caller names all of them. */
  readonly statuses: readonly Status[] | null;
  readonly networkReference: string | null;
  readonly shortCode: string | null;
  readonly payerEmail: string | null;
  readonly payerMobileNumber: string | null;
  readonly amountMinCents: number | null;
  readonly amountMaxCents: number | null;
}

/** Above every MAX_AMOUNT of past configurations, so that filters find older amounts. */
const LARGEST_AMOUNT_CENTS = Number.MAX_SAFE_INTEGER;

/**
 * Reads the filters from a list's parameters (contract §4, List), with the faults that no schema
 * finds. The schema may have faulted `query`; only members of the right type are validated.
 */
export function readFilters(query: Partial<ListQuery>): ReadFilters<PaymentRequestFilters> {
  const faults: FieldFault[] = [];
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const filters: PaymentRequestFilters = {
    statuses: readStatuses(query.status),
    ...equalityFilters((name) => text(query[name])),
    networkReference: text(query.networkReference),
    shortCode: text(query.shortCode),
    payerEmail: text(query.payerEmail),
    payerMobileNumber: text(query.payerMobileNumber),
    ...readCreatedRange(query, faults),
    amountMinCents: readAmount('amountMin', query, faults),
    amountMaxCents: readAmount('amountMax', query, faults),
  };
  return { filters, faults: [...faults, ...rangeFaults(filters)] };
}

/** The equality filters, in the order of FIELDS: cursors depend on the order. */
function equalityFilters(read: (name: EqualityFilter) => string | null): EqualityFilters {
  const filters: Partial<Record<EqualityFilter, string | null>> = {};
  for (const name of EQUALITY_FILTERS) filters[name] = read(name);
  return filters as EqualityFilters;
}

/** No filter at all: the list of all payment requests. */
export const NO_FILTERS: PaymentRequestFilters = readFilters({}).filters;

/** A cursor is valid only with the filters of its first page. */
export function identityOf(merchantId: string, filters: PaymentRequestFilters): unknown {
  // JSON leaves `undefined` out: cursors of the version without this filter stay valid.
  const networkReference = filters.networkReference ?? undefined;
  return [merchantId, { ...filters, networkReference }];
}

function readStatuses(asked: unknown): readonly Status[] | null {
  if (!Array.isArray(asked)) return null;
  const statuses = STATUSES.filter((status) => asked.includes(status));
  return statuses.length === STATUSES.length ? null : statuses;
}

function readAmount(
  field: 'amountMin' | 'amountMax',
  query: Partial<ListQuery>,
  faults: FieldFault[],
): number | null {
  const text = query[field];
  if (typeof text !== 'string') return null;
  const result = parseAmountCents(text, LARGEST_AMOUNT_CENTS);
  if (typeof result === 'number') return result;
  const messages: Readonly<Record<AmountFault, string>> = {
    INVALID_TYPE: `Give ${field} as a number.`,
    TOO_LOW: `Give ${field} as at least 0.01.`,
    TOO_HIGH: `Give ${field} as an amount that can be.`,
    TOO_MANY_DECIMALS: `Give ${field} with at most two decimals.`,
  };
  faults.push({ field, code: result, message: messages[result] });
  return null;
}

function rangeFaults(filters: PaymentRequestFilters): FieldFault[] {
  const { amountMinCents, amountMaxCents } = filters;
  const faults = createdRangeFaults(filters);
  if (amountMinCents !== null && amountMaxCents !== null && amountMaxCents < amountMinCents) {
    const message = 'Give amountMax no lower than amountMin.';
    faults.push({ field: 'amountMax', code: 'INVALID_VALUE', message });
  }
  return faults;
}
