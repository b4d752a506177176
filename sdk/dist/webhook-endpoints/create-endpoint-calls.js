"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createEndpointCalls = createEndpointCalls;
const check_options_ts_1 = require("../calls/check-options.js");
const merchant_calls_ts_1 = require("../calls/merchant-calls.js");
const read_pages_ts_1 = require("../calls/read-pages.js");
const send_call_ts_1 = require("../calls/send-call.js");
const PATH = '/webhook-endpoints';
function createEndpointCalls(calls) {
    const act = async (id, action, body, options) => (0, merchant_calls_ts_1.resourceOf)(await calls.post(`${pathOf(id)}/${action}`, JSON.stringify(body), options));
    return {
        async createWebhookEndpoint(newWebhookEndpoint, options = {}) {
            const body = JSON.stringify(newWebhookEndpoint);
            return (0, merchant_calls_ts_1.resourceOf)(await calls.post(PATH, body, options));
        },
        listWebhookEndpoints: (options = {}) => (0, read_pages_ts_1.readPages)(() => calls.get(PATH, options)),
        async getWebhookEndpoint(id, options = {}) {
            return (0, merchant_calls_ts_1.resourceOf)(await calls.get(pathOf(id), options));
        },
        async updateWebhookEndpoint(id, changes, options = {}) {
            const repeatable = changes.url === undefined;
            return (0, merchant_calls_ts_1.resourceOf)(await calls.patch(pathOf(id), changes, options, { repeatable }));
        },
        async deleteWebhookEndpoint(id, options = {}) {
            const call = { method: 'DELETE', path: pathOf(id), ...(0, merchant_calls_ts_1.limitsOf)(options) };
            const answer = await calls.call(call);
            const isDone = answer.status === 404 && answer.attempts > 1;
            if (!(0, send_call_ts_1.isSuccess)(answer.status) && !isDone)
                throw (0, send_call_ts_1.problemOf)(answer);
        },
        rotateWebhookSecret: (id, rotation = {}, options = {}) => act(id, 'rotate-secret', rotation, options),
        testWebhookEndpoint: (id, options = {}) => act(id, 'test', {}, options),
        resumeWebhookEndpoint: (id, options = {}) => act(id, 'resume', {}, options),
    };
}
function pathOf(id) {
    return `${PATH}/${(0, check_options_ts_1.pathSegment)(id)}`;
}
