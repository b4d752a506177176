import { noteAnswer } from '../answers.js';
import { resourceOf } from '../calls/merchant-calls.js';
import { membersOf } from '../calls/send-call.js';
import { writeQuery } from '../calls/write-query.js';
import { startExport } from '../csv-export.js';
const PATH = '/ledger-entries';
export function createLedgerCalls(calls) {
    return {
        listLedgerEntries(filters = {}, options = {}) {
            const pages = () => fetchPages(calls, filters, options);
            return {
                pages,
                async *[Symbol.asyncIterator]() {
                    for await (const { items } of pages())
                        yield* items;
                },
            };
        },
        exportLedgerEntries: (filters = {}, options = {}) => startExport(calls, `${PATH}${writeQuery({ ...filters })}`, 'ledger-entries.csv', options),
        async getReconciliationReport({ date, since, ...options } = {}) {
            const path = `/reports/reconciliation${writeQuery({ date, since })}`;
            return resourceOf(await calls.get(path, options));
        },
    };
}
async function* fetchPages(calls, filters, { after, pageSize, ...options }) {
    let cursor = after;
    for (;;) {
        const query = writeQuery({ ...filters, after: cursor, limit: pageSize });
        const answer = await calls.get(`${PATH}${query}`, options);
        const { data, hasMore, nextCursor } = membersOf(answer);
        const items = (Array.isArray(data) ? data : []);
        const isMoved = typeof nextCursor === 'string' && nextCursor !== cursor;
        if (isMoved)
            yield noteAnswer({ items, nextCursor }, answer);
        if (hasMore !== true || !isMoved)
            return;
        cursor = nextCursor;
    }
}
