import type { OneOf } from '../payment-request.js';
import type { AnyWebhookEventType } from '../webhooks/event.js';
/** A type of events that an endpoint asks for; `*`, alone, stands for all. */
export type WebhookEventFilter = AnyWebhookEventType | '*';
/** A webhook receiver that you registered; it gets events of all your payment requests. */
export interface WebhookEndpoint {
    readonly id: string;
    readonly url: string;
    /** Only these events; absent: PAYMENT-COMPLETED and PAYMENT-FAILED; `['*']`: all. */
    readonly eventTypes?: readonly WebhookEventFilter[];
    readonly description?: string;
    readonly status: 'ACTIVE' | 'PAUSED';
    /** The reason of PAUSED. */
    readonly statusReason?: {
        readonly code: OneOf<'PAUSED_BY_MERCHANT' | 'GONE' | 'FAILING'>;
        readonly message: string;
    };
    /** The username of your listener (HTTP Basic). */
    readonly username: string;
    /** Only in the answer to the call that made or changed it. Store it. */
    readonly password?: string;
    /** Complete (`whsec_…`) only when it is new. Store it; later answers show its beginning. */
    readonly signingSecret: string;
    /** Until then the previous secret signs beside the new one. */
    readonly previousSecretExpiryDateTime?: string;
    readonly createdDateTime: string;
}
/** The fields of a new webhook endpoint. Only `url` is required. */
export interface NewWebhookEndpoint {
    /** An HTTPS URL; in production the operator registered its origin. */
    readonly url: string;
    /**
     * Only these events; absent: PAYMENT-COMPLETED and PAYMENT-FAILED; `['*']`: all, also those that
     * later versions of the service add.
     */
    readonly eventTypes?: readonly WebhookEventFilter[] | undefined;
    /** Your own words about it. */
    readonly description?: string | undefined;
    /** The username of your listener (HTTP Basic). The service makes what you leave out. */
    readonly username?: string | undefined;
    /** The password of your listener (HTTP Basic). */
    readonly password?: string | undefined;
}
/** The fields of a webhook endpoint that can change. */
export interface WebhookEndpointChanges {
    /** Another origin gets new credentials and a new signing secret, which this answer shows. */
    readonly url?: string | undefined;
    /** `['*']`: all events; `null`: PAYMENT-COMPLETED and PAYMENT-FAILED. */
    readonly eventTypes?: readonly WebhookEventFilter[] | null | undefined;
    /** Your own words about it; `null` removes them. */
    readonly description?: string | null | undefined;
    /** `null` makes a new username. */
    readonly username?: string | null | undefined;
    /** `null` makes a new password. */
    readonly password?: string | null | undefined;
    /** PAUSED holds the deliveries, ACTIVE sends them. */
    readonly status?: 'ACTIVE' | 'PAUSED' | undefined;
}
export interface SecretRotation {
    /** The hours in which the older secret signs beside the new one: 0 to 168, default 24. */
    readonly overlapHours?: number | undefined;
    /** Rotates during an overlap too; the oldest secret then signs no more. */
    readonly force?: boolean | undefined;
}
