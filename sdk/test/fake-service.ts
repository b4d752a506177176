import type { ClientOptions, Clock } from '@payment-requests/sdk';

export interface SentCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly redirect: string | undefined;
  readonly signal: AbortSignal;
}

/** An answer, a network fault, or a function that makes an answer. */
export type Reply = Response | Error | ((call: SentCall) => Response | Promise<Response>);

export interface FakeService {
  /** Complete options of a client for this service. */
  readonly options: ClientOptions;
  readonly clock: FakeClock;
  /** All calls except token calls. */
  readonly calls: SentCall[];
  readonly tokenCalls: SentCall[];
  /** Sets the answers of the next calls, in this order. */
  reply(...replies: Reply[]): void;
  replyToTokenCall(...replies: Reply[]): void;
}

export interface FakeClock extends Clock {
  /** All requested delays in milliseconds. Each delay ends at once. */
  readonly sleeps: number[];
  advance(seconds: number): void;
}

export const TOKEN_SECONDS = 3600;

export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

export function problem(status: number, code: string, headers: Record<string, string> = {}) {
  const members = { title: code, status, detail: `About ${code}.`, code, requestId: 'in-the-body' };
  return json(status, members, { 'content-type': 'application/problem+json', ...headers });
}

/** A network fault as `fetch` throws it. */
export function networkFault(): TypeError {
  return new TypeError('fetch failed');
}

/** Answers a token call with a new token and any other call with `{"id":"1"}` by default. */
export function createFakeService(): FakeService {
  const clock = createFakeClock();
  const calls: SentCall[] = [];
  const tokenCalls: SentCall[] = [];
  const replies: Reply[] = [];
  const tokenReplies: Reply[] = [];
  let tokens = 0;

  const fetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const call: SentCall = {
      method: init.method ?? 'GET',
      url: String(input),
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? init.body : undefined,
      redirect: init.redirect,
      signal: init.signal as AbortSignal,
    };
    const isToken = call.url === 'https://pay.test/oauth2/token';
    (isToken ? tokenCalls : calls).push(call);
    const next = (isToken ? tokenReplies : replies).shift();
    // The await lets concurrent calls overlap.
    await null;
    if (next instanceof Error) throw next;
    if (next instanceof Response) return next;
    if (next) return next(call);
    if (!isToken) return json(200, { id: '1' });
    tokens += 1;
    return json(200, { access_token: `token-${tokens}`, expires_in: TOKEN_SECONDS });
  };

  return {
    options: {
      baseUrl: 'https://pay.test/v1',
      authUrl: 'https://pay.test/oauth2/token',
      username: 'ürsula',
      password: 'prd_secret_password',
      apiKey: 'prd_secret_key',
      fetch: fetch as typeof globalThis.fetch,
      clock,
    },
    clock,
    calls,
    tokenCalls,
    reply: (...more) => void replies.push(...more),
    replyToTokenCall: (...more) => void tokenReplies.push(...more),
  };
}

function createFakeClock(): FakeClock {
  let now = Date.parse('2026-03-01T12:00:00.000Z');
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    async sleep(delayMs, signal) {
      signal?.throwIfAborted();
      sleeps.push(delayMs);
      now += delayMs;
    },
    advance(seconds) {
      now += seconds * 1000;
    },
  };
}
