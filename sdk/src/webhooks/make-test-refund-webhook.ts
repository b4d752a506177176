import { type Amount, amountToCents, centsToAmount } from '../amounts.ts';
import type { RefundMembers } from '../refund.ts';
import type { ListenerCredentials, RefundEvent } from './event.ts';
import {
  type Given,
  sealWebhook,
  type TestWebhook,
  type TestWebhookOptions,
  withoutUndefined,
} from './make-test-webhook.ts';

/** The refund of the test webhook; missing fields get a default. */
export type TestRefundResource = Given<Omit<RefundMembers, 'amount' | 'status'>> & {
  readonly amount?: Amount | undefined;
  readonly status?: 'COMPLETED' | 'FAILED' | undefined;
};

const REASON = { code: 'ACCOUNT_RESTRICTED', message: 'The payer’s account cannot be used.' };

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
export function makeTestRefundWebhook(
  { amount = '10.00', status = 'COMPLETED', ...given }: TestRefundResource,
  credentials: ListenerCredentials,
  options: Omit<TestWebhookOptions, 'eventType'> = {},
): Promise<TestWebhook<RefundEvent>> {
  const { id = crypto.randomUUID(), sequence = 2, now = new Date() } = options;
  const isFailed = status === 'FAILED';
  const reason = given.statusReason ?? REASON;
  const head = {
    eventType: isFailed ? 'REFUND-FAILED' : 'REFUND-COMPLETED',
    message: isFailed ? reason.message : 'The refund was completed.',
    resourceType: 'Payments API',
  };
  const at = now.toISOString();
  const members = {
    id: crypto.randomUUID(),
    paymentRequestId: crypto.randomUUID(),
    reason: 'REQUESTED_BY_CUSTOMER',
    currency: 'CAD',
    createdDateTime: at,
    events: [
      { status: 'CREATED', dateTime: at },
      { status, dateTime: at },
    ],
    links: [],
    ...(isFailed
      ? { statusReason: reason }
      : { payment: { networkReference: 'TEST-REFUND', completedDateTime: at } }),
    ...withoutUndefined(given),
    status,
  };
  const rest = JSON.stringify(members).slice(1);
  const text = `{"amount":${centsToAmount(amountToCents(amount))},${rest}`;
  return sealWebhook(head, text, credentials, { id, sequence, now });
}
