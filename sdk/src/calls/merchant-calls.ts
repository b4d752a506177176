import { noteAnswer } from '../answers.ts';
import type { CallOptions, RepeatableCallOptions, WriteOptions } from '../call-options.ts';
import type { ClientOptions } from '../client-options.ts';
import { environmentOf } from '../errors/credential-environment.ts';
import type { AccessTokens } from './access-token.ts';
import { checkCallOptions } from './check-options.ts';
import { type Answer, type Call, membersOf, sendCall, type Transport } from './send-call.ts';

/** A call with a path below {base_url}. */
export type CallTo = Omit<Call, 'url' | 'repeatable' | 'headers'> & {
  readonly path: string;
  readonly headers?: Call['headers'];
  /** Default: true. */
  readonly repeatable?: boolean;
};

/** The calls of one merchant, with its API key and its token. */
export interface MerchantCalls {
  readonly transport: Transport;
  call(call: CallTo): Promise<Answer>;
  get(path: string, options: CallOptions): Promise<Answer>;
  /** Sends a POST under an idempotency key, so that the service does a repeated call once. */
  post(path: string, body: string, options: RepeatableCallOptions): Promise<Answer>;
  /** Sends a JSON Merge Patch. */
  patch(
    path: string,
    changes: object,
    options: WriteOptions,
    how: { readonly repeatable: boolean; readonly headers?: Call['headers'] },
  ): Promise<Answer>;
}

export function createMerchantCalls(
  { baseUrl, apiKey }: Pick<ClientOptions, 'baseUrl' | 'apiKey'>,
  transport: Transport,
  tokens: AccessTokens,
): MerchantCalls {
  const base = baseUrl.replace(/\/+$/, '');
  const isStrictByDefault = environmentOf(apiKey) === 'sandbox';

  /** Sends a call with API key and token; replaces a refused token once. */
  async function call({ path, headers, repeatable = true, ...rest }: CallTo): Promise<Answer> {
    checkCallOptions(rest);
    const send = (token: string) =>
      sendCall(transport, {
        ...rest,
        repeatable,
        url: base + path,
        headers: {
          accept: 'application/json, application/problem+json',
          ...headers,
          'x-api-key': apiKey,
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

  function writeHeaders({ strict = isStrictByDefault }: WriteOptions, contentType: string) {
    return { 'content-type': contentType, ...(strict && { prefer: 'handling=strict' }) };
  }

  return {
    transport,
    call,
    get: (path, options) => call({ method: 'GET', path, ...limitsOf(options) }),
    async post(path, body, options) {
      checkCallOptions(options);
      const { idempotencyKey = crypto.randomUUID() } = options;
      const headers = {
        ...writeHeaders(options, 'application/json'),
        'idempotency-key': idempotencyKey,
      };
      return call({ method: 'POST', path, body, headers, ...limitsOf(options) });
    },
    patch(path, changes, options, { repeatable, headers }) {
      return call({
        method: 'PATCH',
        path,
        body: JSON.stringify(changes),
        headers: { ...writeHeaders(options, 'application/merge-patch+json'), ...headers },
        repeatable,
        ...limitsOf(options),
      });
    },
  };
}

/** The options that every call passes on. */
export function limitsOf({ signal, timeoutMs, retries }: CallOptions) {
  return { signal, timeoutMs, retries };
}

/**
 * Reads a resource out of an answer, and remembers the answer behind it.
 * @throws ProblemError when the answer is no success
 */
export function resourceOf<Resource extends object>(answer: Answer): Resource {
  return noteAnswer(membersOf(answer) as Resource, answer);
}
