import type { CallOptions, RepeatableCallOptions, WriteOptions } from '../call-options.js';
import type { PagedList } from '../calls/read-pages.js';
import type { WebhookDelivery } from './delivery.js';
import type { NewWebhookEndpoint, SecretRotation, WebhookEndpoint, WebhookEndpointChanges } from './endpoint.js';
export interface WebhookEndpointCalls {
    /**
     * Registers a webhook endpoint. Store its `password` and its `signingSecret`: only this answer
     * shows them.
     *
     * @throws ProblemError `DUPLICATE_WEBHOOK_ENDPOINT`, `TOO_MANY_WEBHOOK_ENDPOINTS`
     * @example
     * const { id, username, password, signingSecret } = await client.createWebhookEndpoint({
     *   url: 'https://shop.example.com/webhooks',
     * });
     * console.log('store', id, username, password?.length, signingSecret.length);
     */
    createWebhookEndpoint(newWebhookEndpoint: NewWebhookEndpoint, options?: RepeatableCallOptions): Promise<WebhookEndpoint>;
    /**
     * Iterates over the webhook endpoints, oldest first.
     *
     * @example
     * for await (const { id, url, status } of client.listWebhookEndpoints()) {
     *   console.log(id, url, status);
     * }
     */
    listWebhookEndpoints(options?: CallOptions): PagedList<WebhookEndpoint>;
    /**
     * Reads a webhook endpoint, without its secrets.
     *
     * @throws ProblemError `WEBHOOK_ENDPOINT_NOT_FOUND`
     * @example
     * const { status, statusReason } = await client.getWebhookEndpoint(webhookEndpointId);
     * console.log(status, statusReason?.message);
     */
    getWebhookEndpoint(id: string, options?: CallOptions): Promise<WebhookEndpoint>;
    /**
     * Changes a webhook endpoint. A URL of another origin gets new credentials and a new signing
     * secret, which only this answer shows. The client does not retry such a call after a missing
     * answer, because the retry would not show them; rotate the secret then.
     *
     * @throws ProblemError `WEBHOOK_ENDPOINT_NOT_FOUND`, `DUPLICATE_WEBHOOK_ENDPOINT`
     * @example
     * const paused = await client.updateWebhookEndpoint(webhookEndpointId, { status: 'PAUSED' });
     * console.log(paused.statusReason?.message);
     */
    updateWebhookEndpoint(id: string, changes: WebhookEndpointChanges, options?: WriteOptions): Promise<WebhookEndpoint>;
    /**
     * Deletes a webhook endpoint. Its pending deliveries end; all its deliveries stay readable.
     *
     * @throws ProblemError `WEBHOOK_ENDPOINT_NOT_FOUND`
     * @example
     * await client.deleteWebhookEndpoint(webhookEndpointId);
     */
    deleteWebhookEndpoint(id: string, options?: CallOptions): Promise<void>;
    /**
     * Makes a new signing secret, which only this answer shows. Both secrets sign during the overlap.
     *
     * @throws ProblemError `SECRET_ROTATION_RUNNING` during an overlap, unless `force` is true
     * @example
     * const { signingSecret } = await client.rotateWebhookSecret(webhookEndpointId, {
     *   overlapHours: 48,
     * });
     * console.log('store', signingSecret.length);
     */
    rotateWebhookSecret(id: string, rotation?: SecretRotation, options?: RepeatableCallOptions): Promise<WebhookEndpoint>;
    /**
     * Sends a test event to your listener; read the delivery to see its answer.
     *
     * @throws ProblemError `WEBHOOK_ENDPOINT_PAUSED`
     * @example
     * const { id } = await client.testWebhookEndpoint(webhookEndpointId);
     * const { status, attemptLog } = await client.getWebhookDelivery(id);
     * console.log(status, attemptLog[0]?.message);
     */
    testWebhookEndpoint(id: string, options?: RepeatableCallOptions): Promise<WebhookDelivery>;
    /**
     * Sends the held deliveries of a paused endpoint immediately. An ACTIVE endpoint stays unchanged.
     *
     * @throws ProblemError `WEBHOOK_ENDPOINT_NOT_FOUND`
     * @example
     * const { status } = await client.resumeWebhookEndpoint(webhookEndpointId);
     * console.log(status === 'ACTIVE');
     */
    resumeWebhookEndpoint(id: string, options?: RepeatableCallOptions): Promise<WebhookEndpoint>;
}
