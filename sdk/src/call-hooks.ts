/** An attempt of a call, as `onRequest` gets it. It holds no secret. */
export interface SentRequest {
  readonly method: string;
  /** Without the query, which may hold a payer's data. */
  readonly url: string;
  /** The sent headers; `authorization` and `x-api-key` are `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The number of the attempt of this call, from 1. */
  readonly attempt: number;
}

/** The end of an attempt, as `onResponse` gets it. */
export interface ReceivedResponse extends SentRequest {
  /** null when no answer arrived. */
  readonly status: number | null;
  /** The answer's X-Request-Id, which identifies the call in the service's log. */
  readonly requestId: string | undefined;
  readonly durationMs: number;
  /** The delay before the next attempt; null when this attempt is the last. */
  readonly retryInMs: number | null;
}

/** Functions of yours that see every attempt, token calls included. */
export interface CallHooks {
  /** Called before an attempt is sent. */
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
  /** Called after an attempt, also without an answer. */
  readonly onResponse?: ((response: ReceivedResponse) => void) | undefined;
}

const SECRET_HEADERS = new Set(['authorization', 'x-api-key']);

/** Gives the headers that a hook may see. */
export function redactHeaders(headers: Readonly<Record<string, string>>) {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, SECRET_HEADERS.has(name) ? '[redacted]' : value]),
  );
}

/** Calls a hook. A hook that fails changes no payment: its error is dropped. */
export function callHook<Value>(hook: ((value: Value) => unknown) | undefined, value: Value): void {
  if (!hook) return;
  try {
    // Promises of a library or of another realm, as in Jest, are no instance of this Promise.
    Promise.resolve(hook(value)).catch(() => {});
  } catch {
    // The documentation of ClientOptions says so.
  }
}
