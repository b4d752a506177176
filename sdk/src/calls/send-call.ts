import type { Clock } from '../clock.ts';
import { NoAnswerError, ProblemError } from '../errors.ts';
import { readRetryAfter, retryDelayMs } from './retry-delay.ts';

/** The parts that all calls of a client share. */
export interface Transport {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** The limit of one attempt, until its answer is read completely. */
  readonly timeoutMs: number;
  /** The limit of retries of one call. */
  readonly maxRetries: number;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether the call can be repeated although the first attempt may have been done. */
  readonly repeatable: boolean;
  /** The time that the service waits on request, added to the time-out. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; undefined when the body is not JSON. */
  readonly body: unknown;
  readonly retryAfterSeconds: number | undefined;
}

/**
 * Sends a call and retries it while a retry can help: after a missing answer, after 429, 502, 503
 * and 504, and while an earlier attempt with the same idempotency key runs. No retry comes before
 * Retry-After.
 *
 * @returns the last answer, with any status
 * @throws NoAnswerError when the last attempt had no answer; the signal's reason after an abort
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
 * Gives the members of a successful answer.
 * @throws ProblemError for any other answer
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
      // The client never follows a redirect: credentials go to the configured URL only.
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
    // A proxy may answer a page. The status then decides.
    return undefined;
  }
}

function asMembers(body: unknown): Members | undefined {
  return typeof body === 'object' && body !== null ? (body as Members) : undefined;
}
