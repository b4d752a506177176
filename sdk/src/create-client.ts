import { createAccessTokens } from './calls/access-token.ts';
import { createMerchantCalls } from './calls/merchant-calls.ts';
import type { Transport } from './calls/send-call.ts';
import { userAgent } from './calls/user-agent.ts';
import type { Client } from './client.ts';
import { type ClientOptions, checkClientOptions } from './client-options.ts';
import { systemClock } from './clock.ts';
import { createPaymentRequestCalls } from './create-payment-request-calls.ts';
import { createEventCalls } from './event-feed/create-event-calls.ts';
import { createLedgerCalls } from './ledger/create-ledger-calls.ts';
import { createRefundCalls } from './refunds/create-refund-calls.ts';
import { createDeliveryCalls } from './webhook-endpoints/create-delivery-calls.ts';
import { createEndpointCalls } from './webhook-endpoints/create-endpoint-calls.ts';

/** A healthy service answers in milliseconds; the rest allows for a slow network. */
const TIMEOUT_MS = 15_000;
/** Four retries with their delays take about four seconds; a restart is over by then. */
const MAX_RETRIES = 4;

/**
 * Makes the client of one merchant in one environment. Use it on your server only: its credentials
 * can create payment requests in your name. Make one client and share it.
 *
 * The client requests access tokens and keeps them. The client retries network faults, 429 and 5xx,
 * never before `Retry-After`. Every POST carries an idempotency key, so that the service does a
 * repeated call once.
 *
 * @throws InvalidArgumentError when an option is missing or out of range
 * @example
 * const client = createClient({
 *   baseUrl: 'https://pay.example.com/v1',
 *   authUrl: 'https://pay.example.com/oauth2/token',
 *   username: 'prd_username',
 *   password: 'prd_password',
 *   apiKey: 'prd_api_key',
 * });
 */
export function createClient(options: ClientOptions): Client {
  checkClientOptions(options);
  const { onRequest, onResponse } = options;
  const transport: Transport = {
    // The global `fetch` is read at each call, so that a tool can wrap it later.
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
