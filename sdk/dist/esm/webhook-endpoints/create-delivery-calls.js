import { pathSegment } from '../calls/check-options.js';
import { limitsOf, resourceOf } from '../calls/merchant-calls.js';
import { readPages } from '../calls/read-pages.js';
import { writeQuery } from '../calls/write-query.js';
import { InvalidArgumentError } from '../errors/invalid-argument-error.js';
const POLL_SECONDS = 2;
const LONGEST_POLL_SECONDS = 3_600;
export function createDeliveryCalls(calls) {
    return {
        listWebhookDeliveries(filters = {}, { pageSize, cursor: first, ...options } = {}) {
            const fetchPage = (cursor) => calls.get(`/webhook-deliveries${writeQuery({ ...filters, limit: pageSize, cursor })}`, options);
            return readPages(fetchPage, first);
        },
        async getWebhookDelivery(id, options = {}) {
            const path = `/webhook-deliveries/${pathSegment(id)}`;
            return resourceOf(await calls.get(path, options));
        },
        async redeliverWebhook(id, options = {}) {
            const path = `/webhook-deliveries/${pathSegment(id)}/redeliver`;
            return resourceOf(await calls.post(path, '{}', options));
        },
        async replayWebhooks(endpointId, span, options = {}) {
            const path = `/webhook-endpoints/${pathSegment(endpointId)}/replay`;
            return resourceOf(await calls.post(path, JSON.stringify(span), options));
        },
        getWebhookReplay: (endpointId, replayId, options = {}) => readReplay(calls, endpointId, replayId, options),
        followWebhookReplay: (endpointId, replayId, options = {}) => followReplay(calls, endpointId, replayId, options),
    };
}
async function readReplay(calls, endpointId, replayId, options) {
    const path = `/webhook-endpoints/${pathSegment(endpointId)}/replays/${pathSegment(replayId)}`;
    return resourceOf(await calls.get(path, limitsOf(options)));
}
async function* followReplay(calls, endpointId, replayId, options) {
    const { pollSeconds = POLL_SECONDS } = options;
    if (!(pollSeconds >= 1 && pollSeconds <= LONGEST_POLL_SECONDS)) {
        throw new InvalidArgumentError(`pollSeconds is ${pollSeconds}: give 1 to 3600 seconds.`);
    }
    for (;;) {
        const replay = await readReplay(calls, endpointId, replayId, options);
        yield replay;
        if (replay.status !== 'RUNNING')
            return;
        await calls.transport.clock.sleep(pollSeconds * 1000, options.signal);
    }
}
