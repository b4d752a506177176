import { PaymentRequestsError } from '../errors/payment-requests-error.js';
import type { AnyWebhookEvent, ListenerCredentials, WebhookEvent } from './event.js';
/** A received webhook: its headers and its body before any parsing. */
export interface IncomingWebhook {
    /** A `Headers`, or an object such as Node's `request.headers`. */
    readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly body: string | Uint8Array;
}
export type WebhookFault = 'CREDENTIALS_MISSING' | 'CREDENTIALS_WRONG' | 'SIGNATURE_MISSING' | 'SIGNATURE_WRONG' | 'TIMESTAMP_OUT_OF_TOLERANCE' | 'BODY_INVALID';
/** The webhook is forged or incomplete. Answer 401 and release nothing. */
export declare class WebhookVerificationError extends PaymentRequestsError {
    readonly code: WebhookFault;
    constructor(code: WebhookFault, message: string);
}
export interface VerifyOptions {
    /** The largest age, in either direction; default 300, as Standard Webhooks recommends. */
    readonly toleranceSeconds?: number | undefined;
    /** The instant to compare with; default: now. */
    readonly now?: Date | undefined;
}
/**
 * Verifies the Basic credentials and the Standard Webhooks signature of a webhook, and reads it. A
 * repeat carries the id of the first webhook: store the ids of handled events, and answer 2xx to a
 * repeat as well. An endpoint that asks for more event types gets `AnyWebhookEvent`: name it.
 *
 * @throws WebhookVerificationError for a webhook that the service did not send
 * @throws InvalidArgumentError when the body is not text or bytes, because a parsed body cannot be
 *   verified; or when a signing secret has a key shorter than 16 bytes
 * @example
 * const event = await verifyWebhook({ headers: request.headers, body }, credentials);
 * if (event.eventType === 'PAYMENT-COMPLETED') {
 *   console.log('release', event.resource.merchantTransactionId);
 * }
 */
export declare function verifyWebhook(webhook: IncomingWebhook, credentials: ListenerCredentials, options?: VerifyOptions): Promise<WebhookEvent>;
/**
 * @example
 * const webhook = { headers: request.headers, body };
 * const event = await verifyWebhook<AnyWebhookEvent>(webhook, credentials);
 * console.log(isRefundEvent(event) ? event.resource.paymentRequestId : event.resource.payer.name);
 */
export declare function verifyWebhook<Event extends AnyWebhookEvent>(webhook: IncomingWebhook, credentials: ListenerCredentials, options?: VerifyOptions): Promise<Event>;
export declare function verifyWebhook(webhook: IncomingWebhook, credentials: ListenerCredentials, options?: VerifyOptions): Promise<WebhookEvent>;
