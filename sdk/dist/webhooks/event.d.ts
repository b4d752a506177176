import type { PaidPaymentRequest, UnpaidPaymentRequest } from '../payment-request.js';
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
    readonly resourceType: 'Payment Requests API';
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
    readonly eventType: 'PAYMENT-COMPLETED';
    readonly resource: PaidPaymentRequest;
}
/** The payment request is FAILED, EXPIRED or CANCELLED: release nothing. */
export interface PaymentFailedEvent extends EventMembers {
    readonly eventType: 'PAYMENT-FAILED';
    readonly resource: UnpaidPaymentRequest;
}
/**
 * The body of a webhook, and an entry of the feed. `eventType` narrows it. A later version of the
 * service may add a type: answer 2xx to a type that you do not know, and release nothing.
 */
export type WebhookEvent = PaymentCompletedEvent | PaymentFailedEvent;
export type WebhookEventType = WebhookEvent['eventType'] | 'PAYMENT-RETURNED' | 'REFUND-COMPLETED' | 'REFUND-FAILED';
export {};
