import { type Amount } from '../amounts.js';
import type { RefundMembers } from '../refund.js';
import type { ListenerCredentials, RefundEvent } from './event.js';
import { type Given, type TestWebhook, type TestWebhookOptions } from './make-test-webhook.js';
/** The refund of the test webhook; missing fields get a default. */
export type TestRefundResource = Given<Omit<RefundMembers, 'amount' | 'status'>> & {
    readonly amount?: Amount | undefined;
    readonly status?: 'COMPLETED' | 'FAILED' | undefined;
};
/**
 * Makes a webhook about a refund, for the tests of your listener. The default status is COMPLETED,
 * the default amount 10.00.
 *
 * @example
 * const webhook = await makeTestRefundWebhook(
 *   { status: 'FAILED', amount: '5.00', paymentRequestId },
 *   credentials,
 * );
 * const event = await verifyWebhook<AnyWebhookEvent>(webhook, credentials);
 * console.log(event.eventType === 'REFUND-FAILED');
 */
export declare function makeTestRefundWebhook({ amount, status, ...given }: TestRefundResource, credentials: ListenerCredentials, options?: Omit<TestWebhookOptions, 'eventType'>): Promise<TestWebhook<RefundEvent>>;
