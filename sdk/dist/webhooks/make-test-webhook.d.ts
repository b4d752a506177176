import { type Amount } from '../amounts.js';
import type { OneOf, PaymentRequestMembers, PaymentRequestStatus } from '../payment-request.js';
import type { ListenerCredentials, WebhookEvent } from './event.js';
/** The payment request of the test webhook; missing fields get a default. */
export type TestWebhookResource = Partial<Omit<PaymentRequestMembers, 'amount' | 'status'>> & {
    readonly amount?: Amount;
    /** Any text, so that a test can send a status of a later version too. */
    readonly status?: OneOf<PaymentRequestStatus>;
};
export interface TestWebhookOptions {
    /** The event's id; give an equal id twice to make a repeat. */
    readonly id?: string;
    readonly sequence?: number;
    /** The instant of the signature. */
    readonly now?: Date;
}
export interface TestWebhook {
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    /** The parsed body. */
    readonly event: WebhookEvent;
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
export declare function makeTestWebhook(resource: TestWebhookResource, { username, password, signingSecret }: ListenerCredentials, { id, sequence, now }?: TestWebhookOptions): Promise<TestWebhook>;
