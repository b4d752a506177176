"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readPages = readPages;
const answers_ts_1 = require("../answers.js");
const send_call_ts_1 = require("./send-call.js");
function readPages(fetchPage, first) {
    const pages = () => fetchPages(fetchPage, first);
    return {
        pages,
        async *[Symbol.asyncIterator]() {
            for await (const { items } of pages())
                yield* items;
        },
    };
}
async function* fetchPages(fetchPage, first) {
    let cursor = first;
    for (;;) {
        const answer = await fetchPage(cursor);
        const { data, hasMore, nextCursor: next } = (0, send_call_ts_1.membersOf)(answer);
        const hasNext = hasMore === true && typeof next === 'string' && next !== cursor;
        const nextCursor = hasNext ? next : null;
        const items = (Array.isArray(data) ? data : []);
        yield (0, answers_ts_1.noteAnswer)({ items, nextCursor }, answer);
        if (nextCursor === null)
            return;
        cursor = nextCursor;
    }
}
