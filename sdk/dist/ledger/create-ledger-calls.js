"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createLedgerCalls = createLedgerCalls;
const answers_ts_1 = require("../answers.js");
const merchant_calls_ts_1 = require("../calls/merchant-calls.js");
const send_call_ts_1 = require("../calls/send-call.js");
const write_query_ts_1 = require("../calls/write-query.js");
const csv_export_ts_1 = require("../csv-export.js");
const PATH = '/ledger-entries';
function createLedgerCalls(calls) {
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
        exportLedgerEntries: (filters = {}, options = {}) => (0, csv_export_ts_1.startExport)(calls, `${PATH}${(0, write_query_ts_1.writeQuery)({ ...filters })}`, 'ledger-entries.csv', options),
        async getReconciliationReport({ date, since, ...options } = {}) {
            const path = `/reports/reconciliation${(0, write_query_ts_1.writeQuery)({ date, since })}`;
            return (0, merchant_calls_ts_1.resourceOf)(await calls.get(path, options));
        },
    };
}
async function* fetchPages(calls, filters, { after, pageSize, ...options }) {
    let cursor = after;
    for (;;) {
        const query = (0, write_query_ts_1.writeQuery)({ ...filters, after: cursor, limit: pageSize });
        const answer = await calls.get(`${PATH}${query}`, options);
        const { data, hasMore, nextCursor } = (0, send_call_ts_1.membersOf)(answer);
        const items = (Array.isArray(data) ? data : []);
        const isMoved = typeof nextCursor === 'string' && nextCursor !== cursor;
        if (isMoved)
            yield (0, answers_ts_1.noteAnswer)({ items, nextCursor }, answer);
        if (hasMore !== true || !isMoved)
            return;
        cursor = nextCursor;
    }
}
