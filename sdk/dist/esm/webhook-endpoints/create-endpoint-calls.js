import { pathSegment } from '../calls/check-options.js';
import { limitsOf, resourceOf } from '../calls/merchant-calls.js';
import { readPages } from '../calls/read-pages.js';
import { isSuccess, problemOf } from '../calls/send-call.js';
const PATH = '/webhook-endpoints';
export function createEndpointCalls(calls) {
    const act = async (id, action, body, options) => resourceOf(await calls.post(`${pathOf(id)}/${action}`, JSON.stringify(body), options));
    return {
        async createWebhookEndpoint(newWebhookEndpoint, options = {}) {
            const body = JSON.stringify(newWebhookEndpoint);
            return resourceOf(await calls.post(PATH, body, options));
        },
        listWebhookEndpoints: (options = {}) => readPages(() => calls.get(PATH, options)),
        async getWebhookEndpoint(id, options = {}) {
            return resourceOf(await calls.get(pathOf(id), options));
        },
        async updateWebhookEndpoint(id, changes, options = {}) {
            const repeatable = changes.url === undefined;
            return resourceOf(await calls.patch(pathOf(id), changes, options, { repeatable }));
        },
        async deleteWebhookEndpoint(id, options = {}) {
            const call = { method: 'DELETE', path: pathOf(id), ...limitsOf(options) };
            const answer = await calls.call(call);
            const isDone = answer.status === 404 && answer.attempts > 1;
            if (!isSuccess(answer.status) && !isDone)
                throw problemOf(answer);
        },
        rotateWebhookSecret: (id, rotation = {}, options = {}) => act(id, 'rotate-secret', rotation, options),
        testWebhookEndpoint: (id, options = {}) => act(id, 'test', {}, options),
        resumeWebhookEndpoint: (id, options = {}) => act(id, 'resume', {}, options),
    };
}
function pathOf(id) {
    return `${PATH}/${pathSegment(id)}`;
}
