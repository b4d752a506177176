import type { RepeatableCallOptions } from '../call-options.ts';
import { pathSegment } from '../calls/check-options.ts';
import { limitsOf, type MerchantCalls, resourceOf } from '../calls/merchant-calls.ts';
import { readPages } from '../calls/read-pages.ts';
import { isSuccess, problemOf } from '../calls/send-call.ts';
import type { WebhookDelivery } from './delivery.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import type { WebhookEndpointCalls } from './endpoint-calls.ts';

const PATH = '/webhook-endpoints';

export function createEndpointCalls(calls: MerchantCalls): WebhookEndpointCalls {
  const act = async <Resource extends object>(
    id: string,
    action: string,
    body: object,
    options: RepeatableCallOptions,
  ) =>
    resourceOf<Resource>(
      await calls.post(`${pathOf(id)}/${action}`, JSON.stringify(body), options),
    );

  return {
    async createWebhookEndpoint(newWebhookEndpoint, options = {}) {
      const body = JSON.stringify(newWebhookEndpoint);
      return resourceOf<WebhookEndpoint>(await calls.post(PATH, body, options));
    },

    // The service answers all endpoints on one page.
    listWebhookEndpoints: (options = {}) => readPages(() => calls.get(PATH, options)),

    async getWebhookEndpoint(id, options = {}) {
      return resourceOf<WebhookEndpoint>(await calls.get(pathOf(id), options));
    },

    async updateWebhookEndpoint(id, changes, options = {}) {
      const repeatable = changes.url === undefined;
      return resourceOf<WebhookEndpoint>(
        await calls.patch(pathOf(id), changes, options, { repeatable }),
      );
    },

    async deleteWebhookEndpoint(id, options = {}) {
      const call = { method: 'DELETE', path: pathOf(id), ...limitsOf(options) } as const;
      const answer = await calls.call(call);
      // An earlier attempt without an answer deleted the endpoint.
      const isDone = answer.status === 404 && answer.attempts > 1;
      if (!isSuccess(answer.status) && !isDone) throw problemOf(answer);
    },

    rotateWebhookSecret: (id, rotation = {}, options = {}) =>
      act<WebhookEndpoint>(id, 'rotate-secret', rotation, options),

    testWebhookEndpoint: (id, options = {}) => act<WebhookDelivery>(id, 'test', {}, options),

    resumeWebhookEndpoint: (id, options = {}) => act<WebhookEndpoint>(id, 'resume', {}, options),
  };
}

function pathOf(id: string): string {
  return `${PATH}/${pathSegment(id)}`;
}
