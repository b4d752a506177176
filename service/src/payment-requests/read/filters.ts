import { createHash } from 'node:crypto';
import { parseInstant } from '#lib/instant.ts';
import { type AmountFault, parseAmountCents } from '#lib/money.ts';
import type { FieldFault } from '#lib/problem.ts';
import { STATUSES, type Status } from '#payment-requests/model/statuses.ts';
import type { ListQuery } from './schemas.ts';

/** What a list is narrowed to; null where a filter was not asked for. */
export interface PaymentRequestFilters {
  /** In the order of STATUSES. null too where all of them were asked for. */
  readonly statuses: readonly Status[] | null;
  readonly merchantTransactionId: string | null;
  readonly invoiceNumber: string | null;
  readonly businessUnit: string | null;
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

/** Above any MAX_AMOUNT there ever was: what was created under a higher one is found as well. */
const LARGEST_AMOUNT_CENTS = Number.MAX_SAFE_INTEGER;

/**
 * The filters of a list's parameters (contract §4, List) with the faults that no schema can say.
 * `query` may still have faults of its own; only members of the right type are judged.
 */
export function readFilters(query: Partial<ListQuery>): {
  readonly filters: PaymentRequestFilters;
  readonly faults: readonly FieldFault[];
} {
  const faults: FieldFault[] = [];
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const filters: PaymentRequestFilters = {
    statuses: readStatuses(query.status),
    merchantTransactionId: text(query.merchantTransactionId),
    invoiceNumber: text(query.invoiceNumber),
    businessUnit: text(query.businessUnit),
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

/** Tells one set of filters from another, for the cursor that must not change between pages. */
export function fingerprintOf(merchantId: string, filters: PaymentRequestFilters): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([merchantId, filters]))
    .digest();
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
    const message = `Give ${field} as an RFC 3339 date-time.`;
    faults.push({ field, code: 'INVALID_FORMAT', message });
    return null;
  }
  // Instants are kept in milliseconds: "from" and "before" anything between two of them mean the
  // later one, and Date cuts off to the earlier.
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
