import { INSTANT_FORM, parseInstant } from '#lib/instant.ts';
import type { FieldFault } from '#lib/problem.ts';

/** The instants of creation that narrow a list; null: no bound. */
export interface CreatedRange {
  /** Inclusive. */
  readonly createdFrom: Date | null;
  /** Exclusive. */
  readonly createdTo: Date | null;
}

type Query = { readonly [Name in keyof CreatedRange]?: unknown };

/** Reads the range of a list's parameters; adds a fault for each text that is no instant. */
export function readCreatedRange(query: Query, faults: FieldFault[]): CreatedRange {
  return {
    createdFrom: readInstant('createdFrom', query, faults),
    createdTo: readInstant('createdTo', query, faults),
  };
}

/** The fault of a range that ends before its start. */
export function createdRangeFaults({ createdFrom, createdTo }: CreatedRange): FieldFault[] {
  if (!createdFrom || !createdTo || createdTo >= createdFrom) return [];
  const message = 'Give createdTo no earlier than createdFrom.';
  return [{ field: 'createdTo', code: 'INVALID_VALUE', message }];
}

function readInstant(field: keyof CreatedRange, query: Query, faults: FieldFault[]): Date | null {
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
