"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createClient = createClient;
const access_token_ts_1 = require("./calls/access-token.js");
const merchant_calls_ts_1 = require("./calls/merchant-calls.js");
const user_agent_ts_1 = require("./calls/user-agent.js");
const client_options_ts_1 = require("./client-options.js");
const clock_ts_1 = require("./clock.js");
const create_payment_request_calls_ts_1 = require("./create-payment-request-calls.js");
const create_event_calls_ts_1 = require("./event-feed/create-event-calls.js");
const create_ledger_calls_ts_1 = require("./ledger/create-ledger-calls.js");
const create_refund_calls_ts_1 = require("./refunds/create-refund-calls.js");
const create_delivery_calls_ts_1 = require("./webhook-endpoints/create-delivery-calls.js");
const create_endpoint_calls_ts_1 = require("./webhook-endpoints/create-endpoint-calls.js");
const TIMEOUT_MS = 15_000;
const MAX_RETRIES = 4;
function createClient(options) {
    (0, client_options_ts_1.checkClientOptions)(options);
    const { onRequest, onResponse } = options;
    const transport = {
        fetch: options.fetch ?? ((...call) => globalThis.fetch(...call)),
        clock: options.clock ?? clock_ts_1.systemClock,
        timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
        maxRetries: options.maxRetries ?? MAX_RETRIES,
        hooks: { onRequest, onResponse },
        userAgent: (0, user_agent_ts_1.userAgent)(),
    };
    const tokens = (0, access_token_ts_1.createAccessTokens)({ ...options, transport });
    const calls = (0, merchant_calls_ts_1.createMerchantCalls)(options, transport, tokens);
    return {
        ...(0, create_payment_request_calls_ts_1.createPaymentRequestCalls)(calls),
        ...(0, create_refund_calls_ts_1.createRefundCalls)(calls),
        ...(0, create_ledger_calls_ts_1.createLedgerCalls)(calls),
        ...(0, create_event_calls_ts_1.createEventCalls)(calls),
        ...(0, create_endpoint_calls_ts_1.createEndpointCalls)(calls),
        ...(0, create_delivery_calls_ts_1.createDeliveryCalls)(calls),
    };
}
