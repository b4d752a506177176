import { noteAnswer } from '../answers.js';
import { limitsOf } from '../calls/merchant-calls.js';
import { membersOf } from '../calls/send-call.js';
import { writeQuery } from '../calls/write-query.js';
const LEAST_PAUSE_MS = 1_000;
export function createEventCalls(calls) {
    return {
        readEvents(options = {}) {
            const pages = () => fetchPages(calls, options);
            return {
                pages,
                async *[Symbol.asyncIterator]() {
                    for await (const { items } of pages()) {
                        for (const item of items) {
                            yield item;
                            options.signal?.throwIfAborted();
                        }
                    }
                },
            };
        },
    };
}
async function* fetchPages(calls, { after, eventTypes, pageSize, waitSeconds, ...options }) {
    const { clock } = calls.transport;
    let cursor = after;
    for (;;) {
        const startedAt = clock.now();
        const types = eventTypes?.join(',');
        const query = writeQuery({ after: cursor, eventTypes: types, limit: pageSize, waitSeconds });
        const answer = await calls.call({
            method: 'GET',
            path: `/events${query}`,
            waitMs: (waitSeconds ?? 0) * 1000,
            ...limitsOf(options),
        });
        const { data, hasMore, nextCursor } = membersOf(answer);
        const items = (Array.isArray(data) ? data : []);
        const isMoved = typeof nextCursor === 'string' && nextCursor !== cursor;
        if (isMoved)
            yield noteAnswer({ items, nextCursor }, answer);
        cursor = isMoved ? nextCursor : cursor;
        if (hasMore === true && isMoved)
            continue;
        if (waitSeconds === undefined)
            return;
        const tookMs = clock.now() - startedAt;
        if (items.length === 0 && tookMs < LEAST_PAUSE_MS) {
            await clock.sleep(LEAST_PAUSE_MS - tookMs, options.signal);
        }
    }
}
