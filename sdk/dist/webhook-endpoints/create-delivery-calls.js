"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createDeliveryCalls = createDeliveryCalls;
const check_options_ts_1 = require("../calls/check-options.js");
const merchant_calls_ts_1 = require("../calls/merchant-calls.js");
const read_pages_ts_1 = require("../calls/read-pages.js");
const write_query_ts_1 = require("../calls/write-query.js");
const invalid_argument_error_ts_1 = require("../errors/invalid-argument-error.js");
const POLL_SECONDS = 2;
const LONGEST_POLL_SECONDS = 3_600;
function createDeliveryCalls(calls) {
    return {
        listWebhookDeliveries(filters = {}, { pageSize, cursor: first, ...options } = {}) {
            const fetchPage = (cursor) => calls.get(`/webhook-deliveries${(0, write_query_ts_1.writeQuery)({ ...filters, limit: pageSize, cursor })}`, options);
            return (0, read_pages_ts_1.readPages)(fetchPage, first);
        },
        async getWebhookDelivery(id, options = {}) {
            const path = `/webhook-deliveries/${(0, check_options_ts_1.pathSegment)(id)}`;
            return (0, merchant_calls_ts_1.resourceOf)(await calls.get(path, options));
        },
        async redeliverWebhook(id, options = {}) {
            const path = `/webhook-deliveries/${(0, check_options_ts_1.pathSegment)(id)}/redeliver`;
            return (0, merchant_calls_ts_1.resourceOf)(await calls.post(path, '{}', options));
        },
        async replayWebhooks(endpointId, span, options = {}) {
            const path = `/webhook-endpoints/${(0, check_options_ts_1.pathSegment)(endpointId)}/replay`;
            return (0, merchant_calls_ts_1.resourceOf)(await calls.post(path, JSON.stringify(span), options));
        },
        getWebhookReplay: (endpointId, replayId, options = {}) => readReplay(calls, endpointId, replayId, options),
        followWebhookReplay: (endpointId, replayId, options = {}) => followReplay(calls, endpointId, replayId, options),
    };
}
async function readReplay(calls, endpointId, replayId, options) {
    const path = `/webhook-endpoints/${(0, check_options_ts_1.pathSegment)(endpointId)}/replays/${(0, check_options_ts_1.pathSegment)(replayId)}`;
    return (0, merchant_calls_ts_1.resourceOf)(await calls.get(path, (0, merchant_calls_ts_1.limitsOf)(options)));
}
async function* followReplay(calls, endpointId, replayId, options) {
    const { pollSeconds = POLL_SECONDS } = options;
    if (!(pollSeconds >= 1 && pollSeconds <= LONGEST_POLL_SECONDS)) {
        throw new invalid_argument_error_ts_1.InvalidArgumentError(`pollSeconds is ${pollSeconds}: give 1 to 3600 seconds.`);
    }
    for (;;) {
        const replay = await readReplay(calls, endpointId, replayId, options);
        yield replay;
        if (replay.status !== 'RUNNING')
            return;
        await calls.transport.clock.sleep(pollSeconds * 1000, options.signal);
    }
}
