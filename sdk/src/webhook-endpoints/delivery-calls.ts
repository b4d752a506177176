import type { CallOptions, ListOptions, RepeatableCallOptions } from '../call-options.ts';
import type { PagedList } from '../calls/read-pages.ts';
import type {
  WebhookDelivery,
  WebhookDeliveryFilters,
  WebhookDeliveryWithAttempts,
} from './delivery.ts';
import type { ReplaySpan, WebhookReplay } from './replay.ts';

export interface FollowOptions extends CallOptions {
  /** The pause between two reads: 1 to 3,600 seconds, default 2. */
  readonly pollSeconds?: number | undefined;
}

export interface WebhookDeliveryCalls {
  /**
   * Iterates over the webhook deliveries, newest first.
   *
   * @example
   * for await (const { id, url } of client.listWebhookDeliveries({ status: 'EXHAUSTED' })) {
   *   console.log(id, url);
   * }
   */
  listWebhookDeliveries(
    filters?: WebhookDeliveryFilters,
    options?: ListOptions,
  ): PagedList<WebhookDelivery>;

  /**
   * Reads a delivery with its attempts: your listener's answers, and the duration of each step.
   *
   * @throws ProblemError `WEBHOOK_DELIVERY_NOT_FOUND`
   * @example
   * const { attemptLog } = await client.getWebhookDelivery(webhookDeliveryId);
   * for (const { outcome, httpStatus } of attemptLog) console.log(outcome, httpStatus);
   */
  getWebhookDelivery(id: string, options?: CallOptions): Promise<WebhookDeliveryWithAttempts>;

  /**
   * Sends a webhook again at once, in any status: the same `webhook-id`, the same bytes, and all
   * attempts anew.
   *
   * @throws ProblemError `WEBHOOK_ENDPOINT_DELETED`, `ERASED`
   * @example
   * const { status } = await client.redeliverWebhook(webhookDeliveryId);
   * console.log(status === 'PENDING');
   */
  redeliverWebhook(id: string, options?: RepeatableCallOptions): Promise<WebhookDelivery>;

  /**
   * Starts a job that sends the events of a span of time to an endpoint again.
   *
   * @throws ProblemError `WEBHOOK_REPLAY_RUNNING`: an endpoint has one replay at a time
   * @example
   * const replay = await client.replayWebhooks(webhookEndpointId, {
   *   from: new Date(Date.now() - 3_600_000),
   * });
   * for await (const { progress } of client.followWebhookReplay(webhookEndpointId, replay.id)) {
   *   console.log(progress.examined, progress.queued, progress.pending);
   * }
   */
  replayWebhooks(
    endpointId: string,
    span: ReplaySpan,
    options?: RepeatableCallOptions,
  ): Promise<WebhookReplay>;

  /**
   * Reads a replay and its progress.
   *
   * @throws ProblemError `WEBHOOK_REPLAY_NOT_FOUND`
   * @example
   * const from = new Date(Date.now() - 3_600_000);
   * const { id } = await client.replayWebhooks(webhookEndpointId, { from, only: 'all' });
   * const { status, progress } = await client.getWebhookReplay(webhookEndpointId, id);
   * console.log(status, progress.queued);
   */
  getWebhookReplay(
    endpointId: string,
    replayId: string,
    options?: CallOptions,
  ): Promise<WebhookReplay>;

  /**
   * Iterates over the states of a replay until every event is queued, or the endpoint is deleted.
   * The last item has the status COMPLETED or CANCELLED. Abort the `signal` to stop earlier.
   *
   * @throws ProblemError `WEBHOOK_REPLAY_NOT_FOUND`
   */
  followWebhookReplay(
    endpointId: string,
    replayId: string,
    options?: FollowOptions,
  ): AsyncIterable<WebhookReplay>;
}
