"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createRefundCalls = createRefundCalls;
const amounts_ts_1 = require("../amounts.js");
const check_options_ts_1 = require("../calls/check-options.js");
const merchant_calls_ts_1 = require("../calls/merchant-calls.js");
const read_pages_ts_1 = require("../calls/read-pages.js");
const write_query_ts_1 = require("../calls/write-query.js");
const csv_export_ts_1 = require("../csv-export.js");
const invalid_argument_error_ts_1 = require("../errors/invalid-argument-error.js");
const no_answer_error_ts_1 = require("../errors/no-answer-error.js");
const PATH = '/refunds';
const LONGEST_WAIT_SECONDS = 30;
const LEAST_PAUSE_MS = 1_000;
const GIVE_UP_AFTER_SECONDS = 60;
const LONGEST_GIVE_UP_SECONDS = 86_400;
function createRefundCalls(calls) {
    async function getRefund(id, { waitSeconds, ifNoneMatch, ...options } = {}) {
        const answer = await calls.call({
            method: 'GET',
            path: `${PATH}/${(0, check_options_ts_1.pathSegment)(id)}${(0, write_query_ts_1.writeQuery)({ waitSeconds })}`,
            headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch },
            waitMs: (waitSeconds ?? 0) * 1000,
            ...(0, merchant_calls_ts_1.limitsOf)(options),
        });
        return answer.status === 304 ? null : (0, merchant_calls_ts_1.resourceOf)(answer);
    }
    return {
        getRefund,
        async createRefund(paymentRequestId, newRefund = {}, options = {}) {
            const path = refundsOf(paymentRequestId);
            return (0, merchant_calls_ts_1.resourceOf)(await calls.post(path, writeNewRefund(newRefund), options));
        },
        waitForRefund: (id, options = {}) => waitForRefund(calls, getRefund, id, options),
        listRefunds(filters = {}, { pageSize, cursor: first, ...options } = {}) {
            const fetchPage = (cursor) => calls.get(`${PATH}${(0, write_query_ts_1.writeQuery)({ ...filters, limit: pageSize, cursor })}`, options);
            return (0, read_pages_ts_1.readPages)(fetchPage, first);
        },
        listRefundsOfPaymentRequest(paymentRequestId, { pageSize, cursor: first, ...options } = {}) {
            const path = refundsOf(paymentRequestId);
            const fetchPage = (cursor) => calls.get(`${path}${(0, write_query_ts_1.writeQuery)({ limit: pageSize, cursor })}`, options);
            return (0, read_pages_ts_1.readPages)(fetchPage, first);
        },
        async simulateRefund(id, simulation, options = {}) {
            const path = `/sandbox${PATH}/${(0, check_options_ts_1.pathSegment)(id)}/simulations`;
            return (0, merchant_calls_ts_1.resourceOf)(await calls.post(path, JSON.stringify(simulation), options));
        },
        exportRefunds: (filters = {}, options = {}) => (0, csv_export_ts_1.startExport)(calls, `${PATH}${(0, write_query_ts_1.writeQuery)({ ...filters })}`, 'refunds.csv', options),
    };
}
function refundsOf(paymentRequestId) {
    return `/payment-requests/${(0, check_options_ts_1.pathSegment)(paymentRequestId)}${PATH}`;
}
function writeNewRefund({ amount, expectedAmountAvailable, ...others }) {
    const amounts = Object.entries({ amount, expectedAmountAvailable }).flatMap(([name, value]) => value === undefined ? [] : [`"${name}":${(0, amounts_ts_1.centsToAmount)((0, amounts_ts_1.amountToCents)(value))}`]);
    const rest = JSON.stringify(others).slice(1, -1);
    return `{${[...amounts, ...(rest === '' ? [] : [rest])].join(',')}}`;
}
async function waitForRefund({ transport: { clock } }, getRefund, id, { giveUpAfterSeconds = GIVE_UP_AFTER_SECONDS, signal }) {
    if (!(giveUpAfterSeconds >= 1 && giveUpAfterSeconds <= LONGEST_GIVE_UP_SECONDS)) {
        const message = `giveUpAfterSeconds is ${giveUpAfterSeconds}: give 1 to 86400 seconds.`;
        throw new invalid_argument_error_ts_1.InvalidArgumentError(message);
    }
    const endsAt = clock.now() + giveUpAfterSeconds * 1000;
    let waitSeconds;
    for (;;) {
        const startedAt = clock.now();
        const refund = await getRefund(id, { waitSeconds, signal });
        if (refund.status === 'COMPLETED' || refund.status === 'FAILED')
            return refund;
        const left = endsAt - clock.now();
        if (left <= 0) {
            const message = `The refund is ${refund.status} after ${giveUpAfterSeconds} s.`;
            throw new no_answer_error_ts_1.NoAnswerError('TIMEOUT', message, undefined);
        }
        const tookMs = clock.now() - startedAt;
        if (waitSeconds !== undefined && tookMs < LEAST_PAUSE_MS) {
            await clock.sleep(LEAST_PAUSE_MS - tookMs, signal);
        }
        waitSeconds = Math.max(1, Math.min(LONGEST_WAIT_SECONDS, Math.ceil(left / 1000)));
    }
}
