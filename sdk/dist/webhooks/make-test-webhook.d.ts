import { type Amount } from '../amounts.js';
import type { OneOf, PaymentRequestMembers, PaymentRequestStatus } from '../payment-request.js';
import type { AnyWebhookEvent, ListenerCredentials, MessageUndeliveredEvent, PaymentEvent, PaymentReturnedEvent, WebhookEvent } from './event.js';
/** Any of the members; a missing or undefined member gets a default. */
export type Given<Members> = {
    readonly [Name in keyof Members]?: Members[Name] | undefined;
};
/** The payment request of the test webhook; missing fields get a default. */
export type TestWebhookResource = Given<Omit<PaymentRequestMembers, 'amount' | 'status'>> & {
    readonly amount?: Amount | undefined;
    /** Any text, so that a test can send a status of a later version too. */
    readonly status?: OneOf<PaymentRequestStatus> | undefined;
};
export interface TestWebhookOptions {
    /** The event's id; give an equal id twice to make a repeat. */
    readonly id?: string | undefined;
    /** The number of the event within its payment request; default 1. */
    readonly sequence?: number | undefined;
    /** The instant of the signature. */
    readonly now?: Date | undefined;
    /** Default: PAYMENT-COMPLETED for PAID, else PAYMENT-FAILED. */
    readonly eventType?: PaymentEvent['eventType'] | undefined;
}
export interface TestWebhook<Event extends AnyWebhookEvent = WebhookEvent> {
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    /** The parsed body. */
    readonly event: Event;
}
/**
 * Makes a webhook in the form of the service's webhooks, for the tests of your listener: signed and
 * with Basic credentials. The default status is PAID, the default amount 10.00.
 *
 * The body does not survive `JSON.parse` and `JSON.stringify` byte for byte: the amount has two
 * decimals, and slashes and letters beyond ASCII are escaped. A listener that verifies a copy that
 * it wrote again refuses this webhook, and would refuse real payments.
 *
 * @example
 * const webhook = await makeTestWebhook(
 *   { status: 'PAID', amount: '25.50', merchantTransactionId: 'order-1042' },
 *   credentials,
 * );
 * const event = await verifyWebhook(webhook, credentials);
 * console.log(event.eventType === 'PAYMENT-COMPLETED');
 */
export declare function makeTestWebhook(resource: TestWebhookResource, credentials: ListenerCredentials, options: TestWebhookOptions & {
    readonly eventType: 'PAYMENT-RETURNED';
}): Promise<TestWebhook<PaymentReturnedEvent>>;
export declare function makeTestWebhook(resource: TestWebhookResource, credentials: ListenerCredentials, options: TestWebhookOptions & {
    readonly eventType: 'MESSAGE-UNDELIVERED';
}): Promise<TestWebhook<MessageUndeliveredEvent>>;
export declare function makeTestWebhook(resource: TestWebhookResource, credentials: ListenerCredentials, options?: TestWebhookOptions): Promise<TestWebhook>;
interface EventFacts {
    readonly id: string;
    readonly sequence: number;
    readonly now: Date;
    /** Default: `now`. */
    readonly signedAt?: Date;
}
/** Writes the body and signs it. Slashes and letters beyond ASCII are escaped. */
export declare function sealWebhook<Event extends AnyWebhookEvent>(head: object, resource: string, { username, password, signingSecret }: ListenerCredentials, { id, sequence, now, signedAt }: EventFacts): Promise<TestWebhook<Event>>;
/** Writes the whole payment request; the amount keeps its own digits. */
export declare function writeResource({ amount, ...given }: TestWebhookResource, status: string, now: Date): string;
/** An undefined member has the default, as a missing member has it. */
export declare function withoutUndefined(given: object): object;
export {};
