"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.followFeed = followFeed;
const promises_1 = require("node:timers/promises");
const merchant_api_ts_1 = require("./merchant-api.js");
const split_json_array_ts_1 = require("./split-json-array.js");
const tool_ts_1 = require("./tool.js");
const WAIT_SECONDS = 30;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 15_000;
async function* followFeed(api, { after, eventTypes, signal, onTrouble }) {
    let cursor = after;
    let failures = 0;
    let waitSeconds = cursor === 'latest' ? 0 : WAIT_SECONDS;
    while (!signal.aborted) {
        const query = new URLSearchParams({
            limit: '100',
            ...(eventTypes !== null && { eventTypes: eventTypes.join(',') }),
            ...(cursor !== null && { after: cursor }),
            ...(waitSeconds > 0 && { waitSeconds: String(waitSeconds) }),
        });
        try {
            const answer = await api.call('GET', `/events?${query}`);
            if (answer.status === 200) {
                const { nextCursor } = answer.json;
                if (typeof nextCursor !== 'string')
                    throw new Error('the answer is no page of the feed');
                cursor = nextCursor;
                failures = 0;
                waitSeconds = WAIT_SECONDS;
                yield { events: eventsOf(answer.text), cursor: nextCursor };
                continue;
            }
            const isRefused = answer.status < 500 && answer.status !== 429;
            if (isRefused)
                throw new tool_ts_1.ToolFault(`The feed answered ${(0, merchant_api_ts_1.describeProblem)(answer)}`);
            onTrouble((0, merchant_api_ts_1.describeProblem)(answer));
        }
        catch (error) {
            if (signal.aborted)
                return;
            if (error instanceof tool_ts_1.ToolFault)
                throw error;
            const { message, cause } = error instanceof Error ? error : new Error(String(error));
            onTrouble(cause instanceof Error ? `${message} (${cause.message})` : message);
        }
        const pauseMs = Math.min(FIRST_BACKOFF_MS * 2 ** failures++, LONGEST_BACKOFF_MS);
        await (0, promises_1.setTimeout)(pauseMs, undefined, { signal }).catch(() => { });
    }
}
function eventsOf(text) {
    const bodies = (0, split_json_array_ts_1.splitJsonArray)(text.slice(text.indexOf('[')));
    return bodies.map((body) => ({ ...JSON.parse(body), body }));
}
