import type { Clock } from '../clock.ts';
import { NoAnswerError, ProblemError } from '../errors.ts';
import { readRetryAfter, retryDelayMs } from './retry-delay.ts';

/** What every call of a client shares. */
export interface Transport {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** For one attempt, until its answer is read whole. */
  readonly timeoutMs: number;
  /** How often a call is sent again at most. */
  readonly maxRetries: number;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether it can be sent again although the first time may have been done. */
  readonly repeatable: boolean;
  /** What the service takes by intent, on top of the time-out. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; undefined where there is none. */
  readonly body: unknown;
  readonly retryAfterSeconds: number | undefined;
}

/**
 * Sends a call, and again while that helps: without an answer, at 429, 502, 503 and 504, and while
 * an earlier attempt with the same idempotency key is running; never before Retry-After.
 *
 * @returns the answer, whatever its status
 * @throws NoAnswerError when no attempt was answered; the signal's reason when the caller gave up
 */
export async function sendCall(transport: Transport, call: Call): Promise<Answer> {
  for (let failed = 1; ; failed += 1) {
    const outcome = await attempt(transport, call);
    const isLast = failed > transport.maxRetries;
    const { repeatable } = call;
    const random = Math.random();
    const delayMs = isLast
      ? null
      : retryDelayMs(asAttempt(outcome), { failed, repeatable, random });
    if (delayMs === null) {
      if (outcome instanceof NoAnswerError) throw outcome;
      return outcome;
    }
    await transport.clock.sleep(delayMs, call.signal);
  }
}

/**
 * The members of a successful answer.
 * @throws ProblemError for any other
 */
export function membersOf({ status, headers, body, retryAfterSeconds }: Answer): Members {
  const members = asMembers(body);
  if (status >= 200 && status < 300 && members) return members;
  const text = (name: string) =>
    typeof members?.[name] === 'string' ? (members[name] as string) : undefined;
  throw new ProblemError({
    code: text('code') ?? 'UNEXPECTED_ANSWER',
    status,
    title: text('title') ?? 'Unexpected answer',
    detail: text('detail') ?? `The answer has the status ${status} and is no problem document.`,
    type: text('type'),
    errors: Array.isArray(members?.errors) ? members.errors : [],
    requestId: headers.get('x-request-id') ?? text('requestId'),
    retryAfterSeconds,
  });
}

export type Members = Readonly<Record<string, unknown>>;

async function attempt(
  { fetch, clock, timeoutMs }: Transport,
  { method, url, headers, body, waitMs = 0, signal }: Call,
): Promise<Answer | NoAnswerError> {
  signal?.throwIfAborted();
  const deadlineMs = timeoutMs + waitMs;
  const ending = new AbortController();
  const giveUp = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    ending.abort();
  }, deadlineMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal: ending.signal,
      // Credentials go nowhere but to the address that was given.
      redirect: 'manual',
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: parse(text),
      retryAfterSeconds: readRetryAfter(response.headers.get('retry-after'), clock.now()),
    };
  } catch (error) {
    signal?.throwIfAborted();
    const { host } = new URL(url);
    return isLate
      ? new NoAnswerError('TIMEOUT', `${host} did not answer within ${deadlineMs} ms.`, error)
      : new NoAnswerError('NETWORK_ERROR', `${host} cannot be reached.`, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

function asAttempt(outcome: Answer | NoAnswerError) {
  if (outcome instanceof NoAnswerError) {
    return { status: null, code: undefined, retryAfterSeconds: undefined };
  }
  const code = asMembers(outcome.body)?.code;
  return { ...outcome, code: typeof code === 'string' ? code : undefined };
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    // A proxy's page, say. What it means is judged by the status.
    return undefined;
  }
}

function asMembers(body: unknown): Members | undefined {
  return typeof body === 'object' && body !== null ? (body as Members) : undefined;
}
