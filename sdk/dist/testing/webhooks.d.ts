import type { WebhookEventFilter } from '../webhook-endpoints/endpoint.js';
import type { AnyWebhookEvent, AnyWebhookEventType, ListenerCredentials } from '../webhooks/event.js';
import type { Schedule } from './schedule.js';
/** A webhook as it is sent, signed as by the service. */
export interface SentWebhook {
    /** Your `webhookUrl` of the payment request or refund, or that of all. */
    readonly url: string;
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    /** Give it to `verifyWebhook` as it is. */
    readonly body: string;
    /** The parsed body. */
    readonly event: AnyWebhookEvent;
    /** The number of the attempt, from 1. */
    readonly attempt: number;
}
/** The status of your listener, alone or as a response has it. */
export type ListenerAnswer = number | {
    readonly status: number;
};
/** A webhook that was sent, with the answer of your listener. */
export interface DeliveredWebhook extends SentWebhook {
    /** null: the listener failed, or its URL cannot be reached. */
    readonly status: number | null;
    /** Where `status` is null: what the listener threw, such as a failed assertion. */
    readonly error?: unknown;
}
/** Your listener: a function, or the URL to which all webhooks go. */
export type Listener = string | ((webhook: SentWebhook) => ListenerAnswer | Promise<ListenerAnswer>);
export interface WebhooksOptions {
    readonly listener: Listener | undefined;
    readonly eventTypes: readonly WebhookEventFilter[] | undefined;
    readonly credentials: ListenerCredentials;
    readonly schedule: Schedule;
}
export interface NewEvent {
    readonly type: AnyWebhookEventType;
    readonly message: string;
    readonly resource: object;
    readonly sequence: number;
    /** The `webhookUrl` of the resource. */
    readonly ownUrl: unknown;
    readonly misbehaviour: string | undefined;
}
/** Sends events as the service does: at once, then by the table of waits until a 2xx. */
export declare function createWebhooks({ listener, eventTypes, credentials, schedule }: WebhooksOptions): {
    emit: (event: NewEvent) => void;
    delivered: DeliveredWebhook[];
};
