import { createAccessTokens } from './calls/access-token.js';
import { createMerchantCalls } from './calls/merchant-calls.js';
import { userAgent } from './calls/user-agent.js';
import { checkClientOptions } from './client-options.js';
import { systemClock } from './clock.js';
import { createPaymentRequestCalls } from './create-payment-request-calls.js';
import { createEventCalls } from './event-feed/create-event-calls.js';
import { createLedgerCalls } from './ledger/create-ledger-calls.js';
import { createRefundCalls } from './refunds/create-refund-calls.js';
import { createDeliveryCalls } from './webhook-endpoints/create-delivery-calls.js';
import { createEndpointCalls } from './webhook-endpoints/create-endpoint-calls.js';
const TIMEOUT_MS = 15_000;
const MAX_RETRIES = 4;
export function createClient(options) {
    checkClientOptions(options);
    const { onRequest, onResponse } = options;
    const transport = {
        fetch: options.fetch ?? ((...call) => globalThis.fetch(...call)),
        clock: options.clock ?? systemClock,
        timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
        maxRetries: options.maxRetries ?? MAX_RETRIES,
        hooks: { onRequest, onResponse },
        userAgent: userAgent(),
    };
    const tokens = createAccessTokens({ ...options, transport });
    const calls = createMerchantCalls(options, transport, tokens);
    return {
        ...createPaymentRequestCalls(calls),
        ...createRefundCalls(calls),
        ...createLedgerCalls(calls),
        ...createEventCalls(calls),
        ...createEndpointCalls(calls),
        ...createDeliveryCalls(calls),
    };
}
