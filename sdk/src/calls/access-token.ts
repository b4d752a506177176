import { AccessTokenError } from '../errors/access-token-error.ts';
import { environmentOf } from '../errors/credential-environment.ts';
import { basicCredentials } from '../webhooks/signature.ts';
import { type Members, membersOf, sendCall, type Transport } from './send-call.ts';

export interface AccessTokenOptions {
  readonly transport: Transport;
  /** {auth_url}: the complete URL of the token call. */
  readonly authUrl: string;
  readonly username: string;
  readonly password: string;
}

export interface AccessTokens {
  /** Gives a token that is valid now. */
  get(signal?: AbortSignal): Promise<string>;
  /** Drops a token that the service refused, so that the next call requests another. */
  forget(token: string): void;
}

interface AccessToken {
  readonly text: string;
  /** The instant of the renewal; the token is still valid. Milliseconds since 1970. */
  readonly renewAt: number;
  /** The instant after which the token is not sent. Milliseconds since 1970. */
  readonly endsAt: number;
}

/** A token of one hour is renewed six minutes early: calls survive an outage that short. */
const RENEWAL_SHARE = 0.9;
/** The last 1 % of a token's lifetime is not used: the token could expire in transit. */
const UNUSED_SHARE = 0.01;

/**
 * Requests access tokens (interface §4) and keeps each token until shortly before its end. All
 * calls share one renewal.
 */
export function createAccessTokens(options: AccessTokenOptions): AccessTokens {
  const { clock } = options.transport;
  let current: AccessToken | undefined;
  let renewal: Promise<AccessToken> | undefined;

  function renew(): Promise<AccessToken> {
    renewal ??= requestToken(options).then(
      (token) => {
        renewal = undefined;
        current = token;
        return token;
      },
      (error) => {
        renewal = undefined;
        throw error;
      },
    );
    return renewal;
  }

  return {
    async get(signal) {
      const now = clock.now();
      if (current && now < current.renewAt) return current.text;
      const fresh = renew();
      if (current && now < current.endsAt) {
        // The current token is valid until its end. The next call retries a failed renewal.
        fresh.catch(() => {});
        return current.text;
      }
      // Other calls may wait for this renewal: a call that is aborted must not end it.
      return (await rejectOnAbort(fresh, signal)).text;
    },
    forget(token) {
      if (current?.text === token) current = undefined;
    },
  };
}

/** @throws AccessTokenError when the credentials are refused */
async function requestToken({
  transport,
  authUrl,
  username,
  password,
}: AccessTokenOptions): Promise<AccessToken> {
  // The lifetime starts before the call, because the service may count the call's duration.
  const requestedAt = transport.clock.now();
  const answer = await sendCall(transport, {
    method: 'POST',
    url: authUrl,
    headers: {
      authorization: basicCredentials(username, password),
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: 'grant_type=client_credentials&scope=payment_request%2Fall',
    repeatable: true,
  });
  const { error, error_description: description } = (answer.body ?? {}) as Members;
  if (typeof error === 'string') {
    throw new AccessTokenError({
      code: error,
      status: answer.status,
      description: typeof description === 'string' ? description : undefined,
      requestId: answer.headers.get('x-request-id') ?? undefined,
      credentialEnvironment: environmentOf(username),
    });
  }
  const { access_token: text, expires_in: seconds } = membersOf(answer);
  const lifetimeMs = Number(seconds) * 1000;
  if (typeof text !== 'string' || !(lifetimeMs > 0)) {
    throw new AccessTokenError({ code: 'invalid_answer', status: answer.status });
  }
  return {
    text,
    renewAt: requestedAt + lifetimeMs * RENEWAL_SHARE,
    endsAt: requestedAt + lifetimeMs * (1 - UNUSED_SHARE),
  };
}

function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
