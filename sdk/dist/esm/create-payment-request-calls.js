import { pathSegment } from './calls/check-options.js';
import { limitsOf, resourceOf } from './calls/merchant-calls.js';
import { readPages } from './calls/read-pages.js';
import { writeNewPaymentRequest } from './calls/write-new-payment-request.js';
import { writeQuery } from './calls/write-query.js';
import { startExport } from './csv-export.js';
const PATH = '/payment-requests';
export function createPaymentRequestCalls(calls) {
    async function getPaymentRequest(id, { waitSeconds, ifNoneMatch, ...options } = {}) {
        const answer = await calls.call({
            method: 'GET',
            path: `${pathOf(id)}${writeQuery({ waitSeconds })}`,
            headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch },
            waitMs: (waitSeconds ?? 0) * 1000,
            ...limitsOf(options),
        });
        return answer.status === 304 ? null : resourceOf(answer);
    }
    return {
        getPaymentRequest,
        async createPaymentRequest(newPaymentRequest, options = {}) {
            const body = writeNewPaymentRequest(newPaymentRequest);
            return resourceOf(await calls.post(PATH, body, options));
        },
        listPaymentRequests(filters = {}, { pageSize, cursor: first, ...options } = {}) {
            const fetchPage = (cursor) => calls.get(`${PATH}${writeQuery({ ...filters, limit: pageSize, cursor })}`, options);
            return readPages(fetchPage, first);
        },
        exportPaymentRequests: (filters = {}, options = {}) => startExport(calls, `${PATH}${writeQuery({ ...filters })}`, 'payment-requests.csv', options),
        async cancelPaymentRequest(id, cancellation = {}, options = {}) {
            const body = JSON.stringify(cancellation);
            return resourceOf(await calls.post(`${pathOf(id)}/cancellation`, body, options));
        },
        async updatePaymentRequest(id, changes, { ifMatch, ...options } = {}) {
            const answer = await calls.patch(pathOf(id), changes, options, {
                repeatable: ifMatch === undefined,
                headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
            });
            return resourceOf(answer);
        },
        readTimeline(id, { pageSize, cursor: first, ...options } = {}) {
            const path = `${pathOf(id)}/timeline`;
            const fetchPage = (cursor) => calls.get(`${path}${writeQuery({ limit: pageSize, cursor })}`, options);
            return readPages(fetchPage, first);
        },
        ...createMessageCalls(calls),
        async simulateOutcome(id, simulation, options = {}) {
            const body = JSON.stringify(simulation);
            const path = `/sandbox${pathOf(id)}/simulations`;
            return resourceOf(await calls.post(path, body, options));
        },
        async advancePaymentRequest(id, advance, options = {}) {
            const path = `/sandbox${pathOf(id)}/advance`;
            return resourceOf(await calls.post(path, JSON.stringify(advance), options));
        },
    };
}
function createMessageCalls(calls) {
    return {
        listMessages(id, { pageSize, cursor: first, ...options } = {}) {
            const path = `${pathOf(id)}/messages`;
            const fetchPage = (cursor) => calls.get(`${path}${writeQuery({ limit: pageSize, cursor })}`, options);
            return readPages(fetchPage, first);
        },
        async sendMessage(id, message = {}, options = {}) {
            const body = JSON.stringify(message);
            return resourceOf(await calls.post(`${pathOf(id)}/messages`, body, options));
        },
    };
}
function pathOf(id) {
    return `${PATH}/${pathSegment(id)}`;
}
