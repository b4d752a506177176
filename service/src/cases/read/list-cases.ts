import { createHash } from 'node:crypto';
import type { Executor } from '#database/database.ts';
import { CURSOR_FAULTS, cutPage, type Page } from '#lib/cursor.ts';
import { Problem } from '#lib/problem.ts';
import { decodeListCursor, encodeListCursor } from '#payment-requests/read/list-cursor.ts';
import type { OperatorCase } from '../model/operator-case.ts';
import { type CaseFilters, findCasePage, type OpenCases, sumOpenCases } from './case-list-store.ts';
import { ownCase } from './own-case.ts';

export interface CasesAsked {
  readonly filters: CaseFilters;
  /** The `nextCursor` of the page before; null for the first page. */
  readonly cursor: string | null;
  readonly limit: number;
}

/**
 * A page of cases, newest first: of one merchant as the merchant may see them, or of all.
 *
 * @throws Problem VALIDATION_ERROR for a cursor of another list
 */
export async function listCasePage(
  db: Executor,
  { filters, cursor, limit }: CasesAsked,
): Promise<Page<OperatorCase>> {
  const fingerprint = fingerprintOf(filters);
  const after = cursor === null ? null : decodeListCursor(cursor, fingerprint);
  if (typeof after === 'string') {
    throw new Problem('VALIDATION_ERROR', { errors: [CURSOR_FAULTS[after]] });
  }
  const found = await findCasePage(db, { filters, after, limit: limit + 1 });
  const cases = found.map((each) => ownCase(each, filters.merchantId));
  return cutPage(cases, limit, ({ openedAt, id }) =>
    encodeListCursor(fingerprint, { createdAt: openedAt, id }),
  );
}

/** Cases that one export reads: some 20 MB; a case is rare. */
const MOST_EXPORTED = 50_000;
/** Rows of one statement: a few milliseconds. */
const BATCH = 1_000;

/** The cases of a list, newest first, a batch at a time, for a file. */
export async function* readCases(
  db: Executor,
  filters: CaseFilters,
): AsyncGenerator<readonly OperatorCase[]> {
  let last: OperatorCase | null = null;
  for (let read = 0; read < MOST_EXPORTED; read += BATCH) {
    const after: { createdAt: Date; id: string } | null = last && {
      createdAt: last.openedAt,
      id: last.id,
    };
    const found = await findCasePage(db, { filters, after, limit: BATCH });
    if (found.length > 0) yield found.map((each) => ownCase(each, filters.merchantId));
    if (found.length < BATCH) return;
    last = found.at(-1) ?? null;
  }
}

function fingerprintOf(filters: CaseFilters): Buffer {
  const { state, kinds, merchantId, paymentRequestId, openedFrom, openedTo } = filters;
  const named = ['cases', state, kinds, merchantId, paymentRequestId, openedFrom, openedTo];
  return createHash('sha256').update(JSON.stringify(named)).digest();
}

/** The open cases of each kind, the most frequent first; their sums in the case's currency. */
export function readOpenCases(
  db: Executor,
  merchantId: string | null,
  currency: string,
): Promise<readonly OpenCases[]> {
  return sumOpenCases(db, merchantId, currency);
}
