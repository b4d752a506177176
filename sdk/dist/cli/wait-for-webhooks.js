"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.waitForWebhooks = waitForWebhooks;
const promises_1 = require("node:timers/promises");
const merchant_api_ts_1 = require("./merchant-api.js");
const LOOK_INTERVAL_MS = 250;
const MOST_DELIVERIES = 100;
async function waitForWebhooks(api, paymentRequestId, signal) {
    const query = new URLSearchParams({ paymentRequestId, limit: `${MOST_DELIVERIES}` });
    for (;;) {
        const listed = await api.call('GET', `/webhook-deliveries?${query}`);
        if (listed.status === 403)
            return null;
        if (listed.status !== 200) {
            throw new Error(`The deliveries answered ${(0, merchant_api_ts_1.describeProblem)(listed)}`);
        }
        const deliveries = listed.json.data;
        if (signal.aborted || deliveries.every(({ status }) => status !== 'PENDING')) {
            return Promise.all(deliveries.map(({ id }) => readOne(api, id)));
        }
        await (0, promises_1.setTimeout)(LOOK_INTERVAL_MS, undefined, { signal }).catch(() => { });
    }
}
async function readOne(api, deliveryId) {
    const answer = await api.call('GET', `/webhook-deliveries/${deliveryId}`);
    if (answer.status !== 200)
        throw new Error(`A delivery answered ${(0, merchant_api_ts_1.describeProblem)(answer)}`);
    const { eventId, url, status, attempts, attemptLog } = answer.json;
    const last = attemptLog.at(-1);
    return {
        deliveryId,
        eventId,
        url,
        status,
        attempts,
        ...(last && { outcome: last.outcome }),
        ...(last?.httpStatus && { httpStatus: last.httpStatus }),
    };
}
