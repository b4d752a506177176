import type { CallOptions, ListOptions, RepeatableCallOptions } from '../call-options.js';
import type { PagedList } from '../calls/read-pages.js';
import type { WebhookDelivery, WebhookDeliveryFilters, WebhookDeliveryWithAttempts } from './delivery.js';
import type { ReplaySpan, WebhookReplay } from './replay.js';
export interface FollowOptions extends CallOptions {
    /** The pause between two reads: 1 to 3,600 seconds, default 2. */
    readonly pollSeconds?: number | undefined;
}
export interface WebhookDeliveryCalls {
    /**
     * Iterates over the webhook deliveries, newest first.
     *
     * @example
     * const filters = { endpointId: webhookEndpointId };
     * for await (const { id, status } of client.listWebhookDeliveries(filters)) {
     *   console.log(id, status);
     * }
     */
    listWebhookDeliveries(filters?: WebhookDeliveryFilters, options?: ListOptions): PagedList<WebhookDelivery>;
    /**
     * Reads a delivery with its attempts: your listener's answers, and the duration of each step.
     *
     * @throws ProblemError `WEBHOOK_DELIVERY_NOT_FOUND`
     * @example
     * const { status, attemptLog } = await client.getWebhookDelivery(webhookDeliveryId);
     * console.log(status);
     * for (const { outcome, httpStatus } of attemptLog) console.log(outcome, httpStatus);
     */
    getWebhookDelivery(id: string, options?: CallOptions): Promise<WebhookDeliveryWithAttempts>;
    /**
     * Sends a webhook again at once, in any status: an equal `webhook-id`, equal bytes, and all
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
     *   from: '2026-03-01T00:00:00Z',
     * });
     * console.log(replay.status, replay.id);
     */
    replayWebhooks(endpointId: string, span: ReplaySpan, options?: RepeatableCallOptions): Promise<WebhookReplay>;
    /**
     * Reads a replay and its progress.
     *
     * @throws ProblemError `WEBHOOK_REPLAY_NOT_FOUND`
     * @example
     * const from = '2026-03-01T00:00:00Z';
     * const { id } = await client.replayWebhooks(webhookEndpointId, { from, only: 'all' });
     * const { status, progress } = await client.getWebhookReplay(webhookEndpointId, id);
     * console.log(status, progress.queued);
     */
    getWebhookReplay(endpointId: string, replayId: string, options?: CallOptions): Promise<WebhookReplay>;
    /**
     * Iterates over the states of a replay until every event is queued, or the endpoint is deleted.
     * The last item has the status COMPLETED or CANCELLED. Abort the `signal` to stop earlier.
     *
     * @throws ProblemError `WEBHOOK_REPLAY_NOT_FOUND`
     * @example
     * const from = '2026-03-01T00:00:00Z';
     * const { id } = await client.replayWebhooks(webhookEndpointId, { from });
     * for await (const { progress } of client.followWebhookReplay(webhookEndpointId, id)) {
     *   console.log(progress.examined, progress.queued, progress.pending);
     * }
     */
    followWebhookReplay(endpointId: string, replayId: string, options?: FollowOptions): AsyncIterable<WebhookReplay>;
}
