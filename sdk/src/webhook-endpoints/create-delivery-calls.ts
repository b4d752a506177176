import { pathSegment } from '../calls/check-options.ts';
import { limitsOf, type MerchantCalls, resourceOf } from '../calls/merchant-calls.ts';
import { readPages } from '../calls/read-pages.ts';
import { writeQuery } from '../calls/write-query.ts';
import { InvalidArgumentError } from '../errors/invalid-argument-error.ts';
import type { WebhookDelivery, WebhookDeliveryWithAttempts } from './delivery.ts';
import type { FollowOptions, WebhookDeliveryCalls } from './delivery-calls.ts';
import type { WebhookReplay } from './replay.ts';

/** A replay queues a few events at a time; a person reads the progress every few seconds. */
const POLL_SECONDS = 2;
const LONGEST_POLL_SECONDS = 3_600;

export function createDeliveryCalls(calls: MerchantCalls): WebhookDeliveryCalls {
  return {
    listWebhookDeliveries(filters = {}, { pageSize, cursor: first, ...options } = {}) {
      const fetchPage = (cursor: string | undefined) =>
        calls.get(
          `/webhook-deliveries${writeQuery({ ...filters, limit: pageSize, cursor })}`,
          options,
        );
      return readPages<WebhookDelivery>(fetchPage, first);
    },

    async getWebhookDelivery(id, options = {}) {
      const path = `/webhook-deliveries/${pathSegment(id)}`;
      return resourceOf<WebhookDeliveryWithAttempts>(await calls.get(path, options));
    },

    async redeliverWebhook(id, options = {}) {
      const path = `/webhook-deliveries/${pathSegment(id)}/redeliver`;
      return resourceOf<WebhookDelivery>(await calls.post(path, '{}', options));
    },

    async replayWebhooks(endpointId, span, options = {}) {
      const path = `/webhook-endpoints/${pathSegment(endpointId)}/replay`;
      return resourceOf<WebhookReplay>(await calls.post(path, JSON.stringify(span), options));
    },

    getWebhookReplay: (endpointId, replayId, options = {}) =>
      readReplay(calls, endpointId, replayId, options),

    followWebhookReplay: (endpointId, replayId, options = {}) =>
      followReplay(calls, endpointId, replayId, options),
  };
}

async function readReplay(
  calls: MerchantCalls,
  endpointId: string,
  replayId: string,
  options: FollowOptions,
): Promise<WebhookReplay> {
  const path = `/webhook-endpoints/${pathSegment(endpointId)}/replays/${pathSegment(replayId)}`;
  return resourceOf<WebhookReplay>(await calls.get(path, limitsOf(options)));
}

async function* followReplay(
  calls: MerchantCalls,
  endpointId: string,
  replayId: string,
  options: FollowOptions,
): AsyncGenerator<WebhookReplay, void, undefined> {
  const { pollSeconds = POLL_SECONDS } = options;
  if (!(pollSeconds >= 1 && pollSeconds <= LONGEST_POLL_SECONDS)) {
    throw new InvalidArgumentError(`pollSeconds is ${pollSeconds}: give 1 to 3600 seconds.`);
  }
  for (;;) {
    const replay = await readReplay(calls, endpointId, replayId, options);
    yield replay;
    // The service ends every replay, so that this loop ends too.
    if (replay.status !== 'RUNNING') return;
    await calls.transport.clock.sleep(pollSeconds * 1000, options.signal);
  }
}
