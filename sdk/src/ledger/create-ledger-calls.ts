import { noteAnswer } from '../answers.ts';
import { type MerchantCalls, resourceOf } from '../calls/merchant-calls.ts';
import { membersOf } from '../calls/send-call.ts';
import { writeQuery } from '../calls/write-query.ts';
import { startExport } from '../csv-export.ts';
import type {
  LedgerEntry,
  LedgerFilters,
  LedgerOptions,
  LedgerPage,
  ReconciliationReport,
} from './ledger.ts';
import type { LedgerCalls } from './ledger-calls.ts';

const PATH = '/ledger-entries';

export function createLedgerCalls(calls: MerchantCalls): LedgerCalls {
  return {
    listLedgerEntries(filters = {}, options = {}) {
      const pages = () => fetchPages(calls, filters, options);
      return {
        pages,
        async *[Symbol.asyncIterator]() {
          for await (const { items } of pages()) yield* items;
        },
      };
    },

    exportLedgerEntries: (filters = {}, options = {}) =>
      startExport(calls, `${PATH}${writeQuery({ ...filters })}`, 'ledger-entries.csv', options),

    async getReconciliationReport({ date, since, ...options } = {}) {
      const path = `/reports/reconciliation${writeQuery({ date, since })}`;
      return resourceOf<ReconciliationReport>(await calls.get(path, options));
    },
  };
}

async function* fetchPages(
  calls: MerchantCalls,
  filters: LedgerFilters,
  { after, pageSize, ...options }: LedgerOptions,
): AsyncGenerator<LedgerPage, void, undefined> {
  let cursor = after;
  for (;;) {
    const query = writeQuery({ ...filters, after: cursor, limit: pageSize });
    const answer = await calls.get(`${PATH}${query}`, options);
    const { data, hasMore, nextCursor } = membersOf(answer);
    const items = (Array.isArray(data) ? data : []) as LedgerEntry[];
    // A cursor that stands still would make an endless loop.
    const isMoved = typeof nextCursor === 'string' && nextCursor !== cursor;
    if (isMoved) yield noteAnswer({ items, nextCursor }, answer);
    if (hasMore !== true || !isMoved) return;
    cursor = nextCursor;
  }
}
