import type { EventCalls } from './event-feed/event-feed.ts';
import type { LedgerCalls } from './ledger/ledger-calls.ts';
import type { PaymentRequestCalls } from './payment-request-calls.ts';
import type { RefundCalls } from './refunds/refund-calls.ts';
import type { WebhookDeliveryCalls } from './webhook-endpoints/delivery-calls.ts';
import type { WebhookEndpointCalls } from './webhook-endpoints/endpoint-calls.ts';

/**
 * A merchant's access to the service in one environment. `createClient` makes it.
 *
 * Every call rejects with a ProblemError when the service refuses it, with an AccessTokenError when
 * the token call refuses the credentials, with a NoAnswerError when no answer arrives, and with an
 * InvalidArgumentError when a value that you gave is invalid. All four are PaymentRequestsErrors.
 */
export interface Client
  extends PaymentRequestCalls,
    RefundCalls,
    LedgerCalls,
    EventCalls,
    WebhookEndpointCalls,
    WebhookDeliveryCalls {}
