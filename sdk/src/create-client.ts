import type { ReadOptions, RepeatableCallOptions } from './call-options.ts';
import { type AccessTokens, createAccessTokens } from './calls/access-token.ts';
import { readPages } from './calls/read-pages.ts';
import {
  type Answer,
  type Call,
  type Members,
  membersOf,
  sendCall,
  type Transport,
} from './calls/send-call.ts';
import { writeNewPaymentRequest } from './calls/write-new-payment-request.ts';
import { writeQuery } from './calls/write-query.ts';
import type { Client } from './client.ts';
import { type Clock, systemClock } from './clock.ts';
import { noteEntityTag } from './entity-tags.ts';
import type { PaymentRequest } from './payment-request.ts';

export interface ClientOptions {
  /** {base_url}, for example `https://pay.example.com/v1`. */
  readonly baseUrl: string;
  /** {auth_url}: the complete URL of the token call. */
  readonly authUrl: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  /** The limit of one attempt, until its answer is read completely; default 15 seconds. */
  readonly timeoutMs?: number;
  /** The limit of retries after a transient failure; default 4. */
  readonly maxRetries?: number;
  /** Replaces the global `fetch`, for a proxy or a test. */
  readonly fetch?: typeof globalThis.fetch;
  /** Replaces the system's time, for a test. */
  readonly clock?: Clock;
}

/** A healthy service answers in milliseconds; the rest allows for a slow network. */
const TIMEOUT_MS = 15_000;
/** Four retries with their delays take about four seconds; a restart is over by then. */
const MAX_RETRIES = 4;

const NEEDED = ['baseUrl', 'authUrl', 'username', 'password', 'apiKey'] as const;

/**
 * Makes the client of one merchant in one environment. Use it on your server only: its credentials
 * can create payment requests in your name. Make one client and share it.
 *
 * The client requests access tokens and keeps them. The client retries network faults, 429, 502,
 * 503 and 504, never before `Retry-After`. Every POST carries an idempotency key, so that the
 * service does a repeated call once.
 *
 * @throws TypeError when an option is missing
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
  checkOptions(options);
  const { get, post, call } = createCalls(options);

  async function getPaymentRequest(id: string, options?: ReadOptions): Promise<PaymentRequest>;
  async function getPaymentRequest(
    id: string,
    { waitSeconds, ifNoneMatch, signal }: ReadOptions = {},
  ): Promise<PaymentRequest | null> {
    const answer = await call({
      method: 'GET',
      path: `${pathOf(id)}${writeQuery({ waitSeconds })}`,
      headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch },
      repeatable: true,
      waitMs: (waitSeconds ?? 0) * 1000,
      signal,
    });
    return answer.status === 304 ? null : asPaymentRequest(answer);
  }

  return {
    getPaymentRequest,

    async createPaymentRequest(newPaymentRequest, { strict = false, ...options } = {}) {
      const body = writeNewPaymentRequest(newPaymentRequest);
      const headers: Record<string, string> = strict ? { prefer: 'handling=strict' } : {};
      return asPaymentRequest(await post('/payment-requests', options, { body, headers }));
    },

    listPaymentRequests(filters = {}, { pageSize, signal } = {}) {
      return readPages((cursor) =>
        get(`/payment-requests${writeQuery({ ...filters, limit: pageSize, cursor })}`, signal),
      );
    },

    async cancelPaymentRequest(id, cancellation = {}, options = {}) {
      const body = JSON.stringify(cancellation);
      return asPaymentRequest(await post(`${pathOf(id)}/cancellation`, options, { body }));
    },

    async updatePaymentRequest(id, changes, { ifMatch, signal } = {}) {
      const answer = await call({
        method: 'PATCH',
        path: pathOf(id),
        headers: {
          'content-type': 'application/merge-patch+json',
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
        body: JSON.stringify(changes),
        repeatable: ifMatch === undefined,
        signal,
      });
      return asPaymentRequest(answer);
    },

    timeline(id, { pageSize, signal } = {}) {
      return readPages((cursor) =>
        get(`${pathOf(id)}/timeline${writeQuery({ limit: pageSize, cursor })}`, signal),
      );
    },

    async simulateOutcome(id, simulation, options = {}) {
      const body = JSON.stringify(simulation);
      return asPaymentRequest(await post(`/sandbox${pathOf(id)}/simulations`, options, { body }));
    },
  };
}

/** A call with a path below {base_url}. */
type CallTo = Omit<Call, 'url'> & { readonly path: string };

function createCalls(options: ClientOptions) {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const transport: Transport = {
    // The global `fetch` is read at each call, so that a tool can wrap it later.
    fetch: options.fetch ?? ((...call) => globalThis.fetch(...call)),
    clock: options.clock ?? systemClock,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    maxRetries: options.maxRetries ?? MAX_RETRIES,
  };
  const tokens: AccessTokens = createAccessTokens({ ...options, transport });

  /** Sends a call with API key and token; replaces a refused token once. */
  async function call({ path, headers, ...rest }: CallTo): Promise<Answer> {
    const send = (token: string) =>
      sendCall(transport, {
        ...rest,
        url: baseUrl + path,
        headers: {
          ...headers,
          accept: 'application/json, application/problem+json',
          'x-api-key': options.apiKey,
          authorization: `Bearer ${token}`,
        },
      });
    const token = await tokens.get(rest.signal);
    const answer = await send(token);
    const code = (answer.body as { code?: unknown } | undefined)?.code;
    const isTokenRefused = code === 'ACCESS_TOKEN_EXPIRED' || code === 'ACCESS_TOKEN_INVALID';
    if (answer.status !== 401 || !isTokenRefused) return answer;
    // The token was revoked, or this machine's clock is behind.
    tokens.forget(token);
    return send(await tokens.get(rest.signal));
  }

  return {
    call,
    async get(path: string, signal: AbortSignal | undefined): Promise<Members> {
      return membersOf(await call({ method: 'GET', path, headers: {}, repeatable: true, signal }));
    },
    post(
      path: string,
      { idempotencyKey = crypto.randomUUID(), signal }: RepeatableCallOptions,
      { body, headers }: { readonly body: string; readonly headers?: Call['headers'] },
    ): Promise<Answer> {
      return call({
        method: 'POST',
        path,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
          ...headers,
        },
        body,
        repeatable: true,
        signal,
      });
    },
  };
}

/** @throws TypeError for an id whose URL would not be that of one payment request */
function pathOf(id: string): string {
  if (typeof id !== 'string' || id === '') throw new TypeError('The id is missing.');
  return `/payment-requests/${encodeURIComponent(id)}`;
}

/** @throws ProblemError when the answer is not a payment request */
function asPaymentRequest(answer: Answer): PaymentRequest {
  const paymentRequest = membersOf(answer) as unknown as PaymentRequest;
  noteEntityTag(paymentRequest, answer.headers.get('etag'));
  return paymentRequest;
}

function checkOptions(options: ClientOptions): void {
  for (const name of NEEDED) {
    if (typeof options[name] !== 'string' || options[name] === '') {
      throw new TypeError(`createClient needs ${name}.`);
    }
  }
}
