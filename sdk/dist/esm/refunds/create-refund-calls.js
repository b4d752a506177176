import { amountToCents, centsToAmount } from '../amounts.js';
import { pathSegment } from '../calls/check-options.js';
import { limitsOf, resourceOf } from '../calls/merchant-calls.js';
import { readPages } from '../calls/read-pages.js';
import { writeQuery } from '../calls/write-query.js';
import { startExport } from '../csv-export.js';
import { InvalidArgumentError } from '../errors/invalid-argument-error.js';
import { NoAnswerError } from '../errors/no-answer-error.js';
const PATH = '/refunds';
const LONGEST_WAIT_SECONDS = 30;
const LEAST_PAUSE_MS = 1_000;
const GIVE_UP_AFTER_SECONDS = 60;
const LONGEST_GIVE_UP_SECONDS = 86_400;
export function createRefundCalls(calls) {
    async function getRefund(id, { waitSeconds, ifNoneMatch, ...options } = {}) {
        const answer = await calls.call({
            method: 'GET',
            path: `${PATH}/${pathSegment(id)}${writeQuery({ waitSeconds })}`,
            headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch },
            waitMs: (waitSeconds ?? 0) * 1000,
            ...limitsOf(options),
        });
        return answer.status === 304 ? null : resourceOf(answer);
    }
    return {
        getRefund,
        async createRefund(paymentRequestId, newRefund = {}, options = {}) {
            const path = refundsOf(paymentRequestId);
            return resourceOf(await calls.post(path, writeNewRefund(newRefund), options));
        },
        waitForRefund: (id, options = {}) => waitForRefund(calls, getRefund, id, options),
        listRefunds(filters = {}, { pageSize, cursor: first, ...options } = {}) {
            const fetchPage = (cursor) => calls.get(`${PATH}${writeQuery({ ...filters, limit: pageSize, cursor })}`, options);
            return readPages(fetchPage, first);
        },
        listRefundsOfPaymentRequest(paymentRequestId, { pageSize, cursor: first, ...options } = {}) {
            const path = refundsOf(paymentRequestId);
            const fetchPage = (cursor) => calls.get(`${path}${writeQuery({ limit: pageSize, cursor })}`, options);
            return readPages(fetchPage, first);
        },
        async simulateRefund(id, simulation, options = {}) {
            const path = `/sandbox${PATH}/${pathSegment(id)}/simulations`;
            return resourceOf(await calls.post(path, JSON.stringify(simulation), options));
        },
        exportRefunds: (filters = {}, options = {}) => startExport(calls, `${PATH}${writeQuery({ ...filters })}`, 'refunds.csv', options),
    };
}
function refundsOf(paymentRequestId) {
    return `/payment-requests/${pathSegment(paymentRequestId)}${PATH}`;
}
function writeNewRefund({ amount, expectedAmountAvailable, ...others }) {
    const amounts = Object.entries({ amount, expectedAmountAvailable }).flatMap(([name, value]) => value === undefined ? [] : [`"${name}":${centsToAmount(amountToCents(value))}`]);
    const rest = JSON.stringify(others).slice(1, -1);
    return `{${[...amounts, ...(rest === '' ? [] : [rest])].join(',')}}`;
}
async function waitForRefund({ transport: { clock } }, getRefund, id, { giveUpAfterSeconds = GIVE_UP_AFTER_SECONDS, signal }) {
    if (!(giveUpAfterSeconds >= 1 && giveUpAfterSeconds <= LONGEST_GIVE_UP_SECONDS)) {
        const message = `giveUpAfterSeconds is ${giveUpAfterSeconds}: give 1 to 86400 seconds.`;
        throw new InvalidArgumentError(message);
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
            throw new NoAnswerError('TIMEOUT', message, undefined);
        }
        const tookMs = clock.now() - startedAt;
        if (waitSeconds !== undefined && tookMs < LEAST_PAUSE_MS) {
            await clock.sleep(LEAST_PAUSE_MS - tookMs, signal);
        }
        waitSeconds = Math.max(1, Math.min(LONGEST_WAIT_SECONDS, Math.ceil(left / 1000)));
    }
}
