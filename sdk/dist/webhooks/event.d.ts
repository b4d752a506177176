import type { PaidPaymentRequest, PaymentRequest, UnpaidPaymentRequest } from '../payment-request.js';
import type { CompletedRefund, FailedRefund } from '../refund.js';
/** The credentials by which a listener verifies the service (credentials.json, `listener`). */
export interface ListenerCredentials {
    readonly username: string;
    readonly password: string;
    /** `whsec_…`; both secrets during a rotation. */
    readonly signingSecret: string | readonly string[];
}
interface EventMembers {
    /** The event in words, for people. */
    readonly message: string;
    /** The event's identifier: equal in every attempt, so that a listener recognises a repeat. */
    readonly id: string;
    readonly createdDateTime: string;
    /** The number of the event within its payment request, from 1. */
    readonly sequence: number;
    /** True for a test of the listener; its payment request does not exist. */
    readonly test?: boolean;
}
/** The payment request is PAID: release the order. */
export interface PaymentCompletedEvent extends EventMembers {
    readonly resourceType: 'Payment Requests API';
    readonly eventType: 'PAYMENT-COMPLETED';
    readonly resource: PaidPaymentRequest;
}
/** The payment request is FAILED, EXPIRED or CANCELLED: release nothing. */
export interface PaymentFailedEvent extends EventMembers {
    readonly resourceType: 'Payment Requests API';
    readonly eventType: 'PAYMENT-FAILED';
    readonly resource: UnpaidPaymentRequest;
}
/** The network or a bank took money of the payment request back; PAID stays. */
export interface PaymentReturnedEvent extends EventMembers {
    readonly eventType: 'PAYMENT-RETURNED';
    readonly resourceType: 'Payment Requests API';
    readonly resource: PaymentRequest;
}
/** The message with the payment link did not reach the payer, who knows of nothing. */
export interface MessageUndeliveredEvent extends EventMembers {
    readonly eventType: 'MESSAGE-UNDELIVERED';
    readonly resourceType: 'Payment Requests API';
    /** `linkMessage` says why. */
    readonly resource: PaymentRequest;
}
/** The network executed the refund. */
export interface RefundCompletedEvent extends EventMembers {
    readonly eventType: 'REFUND-COMPLETED';
    readonly resourceType: 'Payments API';
    readonly resource: CompletedRefund;
}
/** The refund failed, or its money came back: the amount is available again. */
export interface RefundFailedEvent extends EventMembers {
    readonly eventType: 'REFUND-FAILED';
    readonly resourceType: 'Payments API';
    readonly resource: FailedRefund;
}
/** An event about a payment request. */
export type PaymentEvent = PaymentCompletedEvent | PaymentFailedEvent | PaymentReturnedEvent | MessageUndeliveredEvent;
/** An event about a refund; only endpoints that name its type get it. */
export type RefundEvent = RefundCompletedEvent | RefundFailedEvent;
/**
 * Whether an event is about a refund. Other events have a payment request as `resource`.
 *
 * @example
 * const webhook = await makeTestWebhook({}, credentials);
 * const event = await verifyWebhook<AnyWebhookEvent>(webhook, credentials);
 * console.log(isRefundEvent(event) ? event.resource.paymentRequestId : event.resource.paymentLink);
 */
export declare function isRefundEvent(event: AnyWebhookEvent): event is RefundEvent;
/**
 * The body of a webhook, and an entry of the feed, without a choice of event types. `eventType`
 * narrows it.
 */
export type WebhookEvent = PaymentCompletedEvent | PaymentFailedEvent;
export type WebhookEventType = WebhookEvent['eventType'];
/**
 * An event of an endpoint or a feed with a choice of `eventTypes`. `eventType` narrows it. A later
 * version of the service may add a type: answer 2xx to a type that you do not know, and release
 * nothing.
 */
export type AnyWebhookEvent = PaymentEvent | RefundEvent;
export type AnyWebhookEventType = AnyWebhookEvent['eventType'];
export {};
