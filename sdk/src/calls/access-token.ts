import { AccessTokenError } from '../errors.ts';
import { basicCredentials } from '../webhooks/signature.ts';
import { membersOf, sendCall, type Transport } from './send-call.ts';

export interface AccessTokenOptions {
  readonly transport: Transport;
  /** {auth_url}: the whole address of the token call. */
  readonly authUrl: string;
  readonly username: string;
  readonly password: string;
}

export interface AccessTokens {
  /** A token that is good for now. */
  get(signal?: AbortSignal): Promise<string>;
  /** The service refused this token: the next call buys another. */
  forget(token: string): void;
}

interface AccessToken {
  readonly text: string;
  /** From here on the next one is fetched, while this one still serves. */
  readonly renewAt: number;
  /** From here on this one no longer serves. */
  readonly endsAt: number;
}

/** An hour's token is renewed six minutes early: an outage that short is not noticed. */
const RENEWED_AFTER = 0.9;
/** A token is not sent in its last moments, lest it ends on the way. */
const LAST_MOMENTS = 0.01;

/**
 * Buys access tokens (interface §4), keeps each until shortly before its
 * end, and never asks for two at once however many calls need one.
 */
export function createAccessTokens(options: AccessTokenOptions): AccessTokens {
  const { clock } = options.transport;
  let current: AccessToken | undefined;
  let renewal: Promise<AccessToken> | undefined;

  function renew(): Promise<AccessToken> {
    renewal ??= buy(options).then(
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
        // It serves until its end; a renewal that fails is tried again by the next call.
        fresh.catch(() => {});
        return current.text;
      }
      // Others may wait for the same renewal: one that gives up must not end it for them.
      return (await unlessAborted(fresh, signal)).text;
    },
    forget(token) {
      if (current?.text === token) current = undefined;
    },
  };
}

/** @throws AccessTokenError when the credentials are refused */
async function buy({
  transport,
  authUrl,
  username,
  password,
}: AccessTokenOptions): Promise<AccessToken> {
  // From before the call: what it takes is not ours to use.
  const boughtAt = transport.clock.now();
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
  const refusal = (answer.body as { error?: unknown } | undefined)?.error;
  if (typeof refusal === 'string') {
    const requestId = answer.headers.get('x-request-id') ?? undefined;
    throw new AccessTokenError(refusal, answer.status, requestId);
  }
  const { access_token: text, expires_in: seconds } = membersOf(answer);
  const lifetimeMs = Number(seconds) * 1000;
  if (typeof text !== 'string' || !(lifetimeMs > 0)) {
    throw new AccessTokenError('invalid_answer', answer.status, undefined);
  }
  return {
    text,
    renewAt: boughtAt + lifetimeMs * RENEWED_AFTER,
    endsAt: boughtAt + lifetimeMs * (1 - LAST_MOMENTS),
  };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
