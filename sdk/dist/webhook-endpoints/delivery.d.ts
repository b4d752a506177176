import type { OneOf } from '../payment-request.js';
import type { AnyWebhookEventType } from '../webhooks/event.js';
/** The duty of the service to bring one event to one URL. */
export interface WebhookDelivery {
    readonly id: string;
    /** The `webhook-id` of every attempt. */
    readonly eventId: string;
    readonly eventType: AnyWebhookEventType;
    /** True for a test of the endpoint. */
    readonly test?: boolean;
    readonly paymentRequestId: string;
    /** null: the payment request's own `webhookUrl`. */
    readonly endpointId: string | null;
    readonly url: string;
    readonly status: 'PENDING' | 'SUCCEEDED' | 'EXHAUSTED';
    /** The reason of EXHAUSTED. */
    readonly statusReason?: {
        readonly code: OneOf<'ATTEMPTS_EXHAUSTED' | 'ENDPOINT_DELETED' | 'RETENTION_ENDED' | 'LISTENER_FAILING'>;
        readonly message: string;
    };
    /** The number of attempts so far. */
    readonly attempts: number;
    /** null when the delivery is over. */
    readonly nextAttemptDateTime: string | null;
    readonly createdDateTime: string;
    readonly completedDateTime?: string;
}
/** A try to deliver one event to one URL. */
export interface WebhookAttempt {
    readonly attempt: number;
    readonly startedDateTime: string;
    readonly durationMs: number;
    /** A code such as SUCCEEDED, TIMED_OUT or CERTIFICATE_INVALID. */
    readonly outcome: string;
    /** The outcome in words. */
    readonly message: string;
    readonly httpStatus?: number;
    /** The beginning of your listener's answer. */
    readonly responseBody?: string;
    readonly dnsMs?: number;
    readonly connectMs?: number;
    readonly tlsMs?: number;
    readonly firstByteMs?: number;
    /** In the sandbox: a call brought the attempt forward. */
    readonly sandboxAdvanced?: true;
}
export interface WebhookDeliveryWithAttempts extends WebhookDelivery {
    /** The latest 100 attempts of the last 90 days, oldest first. */
    readonly attemptLog: readonly WebhookAttempt[];
}
/** The filters of the deliveries; without filters the list holds every delivery. */
export interface WebhookDeliveryFilters {
    /** Only deliveries of this payment request's events. */
    readonly paymentRequestId?: string | undefined;
    /** Only deliveries to this endpoint. */
    readonly endpointId?: string | undefined;
    /** Only this status, or one of these. */
    readonly status?: OneOf<WebhookDelivery['status']> | readonly OneOf<WebhookDelivery['status']>[] | undefined;
}
