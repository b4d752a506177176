import { noteAnswer } from '../answers.js';
import { membersOf } from './send-call.js';
export function readPages(fetchPage, first) {
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
        const { data, hasMore, nextCursor: next } = membersOf(answer);
        const hasNext = hasMore === true && typeof next === 'string' && next !== cursor;
        const nextCursor = hasNext ? next : null;
        const items = (Array.isArray(data) ? data : []);
        yield noteAnswer({ items, nextCursor }, answer);
        if (nextCursor === null)
            return;
        cursor = nextCursor;
    }
}
