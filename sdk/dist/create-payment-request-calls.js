"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createPaymentRequestCalls = createPaymentRequestCalls;
const check_options_ts_1 = require("./calls/check-options.js");
const merchant_calls_ts_1 = require("./calls/merchant-calls.js");
const read_pages_ts_1 = require("./calls/read-pages.js");
const write_new_payment_request_ts_1 = require("./calls/write-new-payment-request.js");
const write_query_ts_1 = require("./calls/write-query.js");
const csv_export_ts_1 = require("./csv-export.js");
const PATH = '/payment-requests';
function createPaymentRequestCalls(calls) {
    async function getPaymentRequest(id, { waitSeconds, ifNoneMatch, ...options } = {}) {
        const answer = await calls.call({
            method: 'GET',
            path: `${pathOf(id)}${(0, write_query_ts_1.writeQuery)({ waitSeconds })}`,
            headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch },
            waitMs: (waitSeconds ?? 0) * 1000,
            ...(0, merchant_calls_ts_1.limitsOf)(options),
        });
        return answer.status === 304 ? null : (0, merchant_calls_ts_1.resourceOf)(answer);
    }
    return {
        getPaymentRequest,
        async createPaymentRequest(newPaymentRequest, options = {}) {
            const body = (0, write_new_payment_request_ts_1.writeNewPaymentRequest)(newPaymentRequest);
            return (0, merchant_calls_ts_1.resourceOf)(await calls.post(PATH, body, options));
        },
        listPaymentRequests(filters = {}, { pageSize, cursor: first, ...options } = {}) {
            const fetchPage = (cursor) => calls.get(`${PATH}${(0, write_query_ts_1.writeQuery)({ ...filters, limit: pageSize, cursor })}`, options);
            return (0, read_pages_ts_1.readPages)(fetchPage, first);
        },
        exportPaymentRequests: (filters = {}, options = {}) => (0, csv_export_ts_1.startExport)(calls, `${PATH}${(0, write_query_ts_1.writeQuery)({ ...filters })}`, 'payment-requests.csv', options),
        async cancelPaymentRequest(id, cancellation = {}, options = {}) {
            const body = JSON.stringify(cancellation);
            return (0, merchant_calls_ts_1.resourceOf)(await calls.post(`${pathOf(id)}/cancellation`, body, options));
        },
        async updatePaymentRequest(id, changes, { ifMatch, ...options } = {}) {
            const answer = await calls.patch(pathOf(id), changes, options, {
                repeatable: ifMatch === undefined,
                headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
            });
            return (0, merchant_calls_ts_1.resourceOf)(answer);
        },
        readTimeline(id, { pageSize, cursor: first, ...options } = {}) {
            const path = `${pathOf(id)}/timeline`;
            const fetchPage = (cursor) => calls.get(`${path}${(0, write_query_ts_1.writeQuery)({ limit: pageSize, cursor })}`, options);
            return (0, read_pages_ts_1.readPages)(fetchPage, first);
        },
        ...createMessageCalls(calls),
        async simulateOutcome(id, simulation, options = {}) {
            const body = JSON.stringify(simulation);
            const path = `/sandbox${pathOf(id)}/simulations`;
            return (0, merchant_calls_ts_1.resourceOf)(await calls.post(path, body, options));
        },
        async advancePaymentRequest(id, advance, options = {}) {
            const path = `/sandbox${pathOf(id)}/advance`;
            return (0, merchant_calls_ts_1.resourceOf)(await calls.post(path, JSON.stringify(advance), options));
        },
    };
}
function createMessageCalls(calls) {
    return {
        listMessages(id, { pageSize, cursor: first, ...options } = {}) {
            const path = `${pathOf(id)}/messages`;
            const fetchPage = (cursor) => calls.get(`${path}${(0, write_query_ts_1.writeQuery)({ limit: pageSize, cursor })}`, options);
            return (0, read_pages_ts_1.readPages)(fetchPage, first);
        },
        async sendMessage(id, message = {}, options = {}) {
            const body = JSON.stringify(message);
            return (0, merchant_calls_ts_1.resourceOf)(await calls.post(`${pathOf(id)}/messages`, body, options));
        },
    };
}
function pathOf(id) {
    return `${PATH}/${(0, check_options_ts_1.pathSegment)(id)}`;
}
