import type { Client } from '../client.js';
import type { ClientOptions } from '../client-options.js';
import type { WebhookEventFilter } from '../webhook-endpoints/endpoint.js';
import type { ListenerCredentials } from '../webhooks/event.js';
import { type DeliveredWebhook, type Listener } from './webhooks.js';
export interface TestServiceOptions {
    /** Your listener: a function that answers a status, or a URL. Absent: no webhook is sent. */
    readonly listener?: Listener | undefined;
    /** The events that the listener gets, as of an endpoint; default: payments alone. */
    readonly eventTypes?: readonly WebhookEventFilter[] | undefined;
    /** The credentials of your listener; default: new ones. */
    readonly listenerCredentials?: ListenerCredentials | undefined;
    /** The first instant of the clock; default: now. */
    readonly startsAt?: Date | undefined;
    /** The one currency of the service, ISO 4217; default CAD. */
    readonly currency?: string | undefined;
}
export interface TestService {
    /** A client of this service. */
    readonly client: Client;
    /** For `createClient` in your own code; other clients take `fetch` and the URLs of it. */
    readonly options: ClientOptions & {
        readonly fetch: typeof globalThis.fetch;
    };
    /** The credentials with which your listener verifies webhooks. */
    readonly listenerCredentials: ListenerCredentials;
    /** Every attempt of a webhook, in order, with the answer of your listener. */
    readonly webhooks: readonly DeliveredWebhook[];
    /** The instant of the clock, which stands still until you move it. */
    now(): Date;
    /**
     * Moves the clock, and does what falls due, in its order: outcomes, expiries, webhooks and their
     * retries. It is over when the last webhook is answered.
     * @param seconds default 0: what is due now, such as the webhook of a simulated outcome
     */
    advance(seconds?: number): Promise<void>;
}
/**
 * Makes the sandbox of the service in this process, for the tests of your shop: creation, reading,
 * lists, changes, cancellation, refunds, simulations and signed webhooks. It opens no port, keeps
 * everything in memory, and has a clock that your test moves.
 *
 * @example
 * import { createTestService } from '@payment-requests/sdk/testing';
 *
 * const service = createTestService({ listener: () => 204 });
 * const { id } = await service.client.createPaymentRequest({
 *   amount: '25.50',
 *   payer: { name: 'depositSubmit', email: 'ada@example.com' },
 * });
 * await service.advance(10);
 * const { status } = await service.client.getPaymentRequest(id);
 * console.log(status, service.webhooks.length);
 */
export declare function createTestService(options?: TestServiceOptions): TestService;
