import { hash } from 'node:crypto';
import { INSTANT_FORM, parseInstant } from '#lib/instant.ts';
import { type AmountFault, parseAmountCents } from '#lib/money.ts';
import type { FieldFault } from '#lib/problem.ts';
import { EQUALITY_FILTERS, type EqualityFilter } from '#payment-requests/model/field-lists.ts';
import { STATUSES, type Status } from '#payment-requests/model/statuses.ts';
import type { ListQuery } from './schemas.ts';

/** The stored value of a field equals the parameter of the field's name. */
type EqualityFilters = { readonly [Name in EqualityFilter]: string | null };

/** The filters of a list; null for a filter that the caller left out. */
export interface PaymentRequestFilters extends EqualityFilters {
  /** In the order of STATUSES; null as well when the caller names all of them. */
  readonly statuses: readonly Status[] | null;
  readonly networkReference: string | null;
  readonly shortCode: string | null;
  readonly payerEmail: string | null;
  readonly payerMobileNumber: string | null;
  /** Inclusive. */
  readonly createdFrom: Date | null;
  /** Exclusive. */
  readonly createdTo: Date | null;
  readonly amountMinCents: number | null;
  readonly amountMaxCents: number | null;
}

/** Above every MAX_AMOUNT of past configurations, so that filters find older amounts. */
const LARGEST_AMOUNT_CENTS = Number.MAX_SAFE_INTEGER;

/**
 * Reads the filters from a list's parameters (contract §4, List), with the faults that no schema
 * finds. The schema may have faulted `query`; only members of the right type are validated.
 */
export function readFilters(query: Partial<ListQuery>): {
  readonly filters: PaymentRequestFilters;
  readonly faults: readonly FieldFault[];
} {
  const faults: FieldFault[] = [];
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const filters: PaymentRequestFilters = {
    statuses: readStatuses(query.status),
    ...equalityFilters((name) => text(query[name])),
    networkReference: text(query.networkReference),
    shortCode: text(query.shortCode),
    payerEmail: text(query.payerEmail),
    payerMobileNumber: text(query.payerMobileNumber),
    createdFrom: readInstant('createdFrom', query, faults),
    createdTo: readInstant('createdTo', query, faults),
    amountMinCents: readAmount('amountMin', query, faults),
    amountMaxCents: readAmount('amountMax', query, faults),
  };
  return { filters, faults: [...faults, ...rangeFaults(filters)] };
}

/** The equality filters, in the order of FIELDS: `fingerprintOf` depends on the order. */
function equalityFilters(read: (name: EqualityFilter) => string | null): EqualityFilters {
  const filters: Partial<Record<EqualityFilter, string | null>> = {};
  for (const name of EQUALITY_FILTERS) filters[name] = read(name);
  return filters as EqualityFilters;
}

/** No filter at all: the list of all payment requests. */
export const NO_FILTERS: PaymentRequestFilters = readFilters({}).filters;

/** Identifies a set of filters: a cursor is valid only with the filters of its first page. */
export function fingerprintOf(merchantId: string, filters: PaymentRequestFilters): Buffer {
  // JSON leaves `undefined` out: cursors of the version without this filter stay valid.
  const networkReference = filters.networkReference ?? undefined;
  const text = JSON.stringify([merchantId, { ...filters, networkReference }]);
  return hash('sha256', text, 'buffer');
}

function readStatuses(asked: unknown): readonly Status[] | null {
  if (!Array.isArray(asked)) return null;
  const statuses = STATUSES.filter((status) => asked.includes(status));
  return statuses.length === STATUSES.length ? null : statuses;
}

function readInstant(
  field: 'createdFrom' | 'createdTo',
  query: Partial<ListQuery>,
  faults: FieldFault[],
): Date | null {
  const text = query[field];
  if (typeof text !== 'string') return null;
  const instant = parseInstant(text);
  if (!instant) {
    const message = `Give ${field} ${INSTANT_FORM}.`;
    faults.push({ field, code: 'INVALID_FORMAT', message });
    return null;
  }
  // Instants are stored in milliseconds. An instant between two milliseconds means the later one
  // for "from" and for "before", but Date truncates to the earlier.
  const isBetween = /\.\d{3}\d*[1-9]/.test(text);
  return isBetween ? new Date(instant.getTime() + 1) : instant;
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
  const { createdFrom, createdTo, amountMinCents, amountMaxCents } = filters;
  const faults: FieldFault[] = [];
  if (createdFrom && createdTo && createdTo < createdFrom) {
    const message = 'Give createdTo no earlier than createdFrom.';
    faults.push({ field: 'createdTo', code: 'INVALID_VALUE', message });
  }
  if (amountMinCents !== null && amountMaxCents !== null && amountMaxCents < amountMinCents) {
    const message = 'Give amountMax no lower than amountMin.';
    faults.push({ field: 'amountMax', code: 'INVALID_VALUE', message });
  }
  return faults;
}
