import { type CallHooks, callHook, redactHeaders, type SentRequest } from '../call-hooks.ts';
import type { Clock } from '../clock.ts';
import { NoAnswerError } from '../errors/no-answer-error.ts';
import { ProblemError } from '../errors/problem-error.ts';
import { readStream } from './read-stream.ts';
import { readText } from './read-text.ts';
import { readRetryAfter, retryDelayMs } from './retry-delay.ts';

/** The parts that all calls of a client share. */
export interface Transport {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** The limit of one attempt, until its answer is read completely. */
  readonly timeoutMs: number;
  /** The limit of retries of one call. */
  readonly maxRetries: number;
  readonly hooks: CallHooks;
  /** The value of User-Agent. */
  readonly userAgent: string;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether the call can be repeated although the first attempt may have been done. */
  readonly repeatable: boolean;
  /** The time that the service waits on request, added to the time-out. */
  readonly waitMs?: number | undefined;
  /** Whether a successful answer is read later, piece by piece. */
  readonly isStreamed?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; undefined when the body is not JSON. */
  readonly body: unknown;
  /** The unread body of a streamed answer. */
  readonly stream?: ReadableStream<Uint8Array>;
  readonly retryAfterSeconds: number | undefined;
  readonly attempts: number;
}

/**
 * Sends a call and retries it while a retry can help: after a missing answer, after 429 and 5xx,
 * and while an earlier attempt with the same idempotency key runs. No retry comes before
 * Retry-After.
 *
 * @returns the last answer, with any status
 * @throws NoAnswerError when the last attempt had no answer; the signal's reason after an abort
 */
export async function sendCall(transport: Transport, call: Call): Promise<Answer> {
  const { clock, hooks } = transport;
  const { repeatable, retries = transport.maxRetries } = call;
  const headers = { ...call.headers, 'user-agent': transport.userAgent };
  for (let attempt = 1; ; attempt += 1) {
    call.signal?.throwIfAborted();
    const sent = describeRequest({ ...call, headers }, attempt);
    callHook(hooks.onRequest, sent);
    const startedAt = clock.now();
    const outcome = await makeAttempt(transport, { ...call, headers }, attempt);
    const durationMs = clock.now() - startedAt;
    const random = Math.random();
    const retryInMs =
      attempt > retries
        ? null
        : retryDelayMs(asAttempt(outcome), { failed: attempt, repeatable, random });
    const hasAnswer = !(outcome instanceof NoAnswerError);
    const status = hasAnswer ? outcome.status : null;
    const requestId = hasAnswer ? (outcome.headers.get('x-request-id') ?? undefined) : undefined;
    callHook(hooks.onResponse, { ...sent, status, requestId, durationMs, retryInMs });
    if (retryInMs === null) {
      if (outcome instanceof NoAnswerError) throw outcome;
      return outcome;
    }
    await clock.sleep(retryInMs, call.signal);
  }
}

/**
 * Gives the members of a successful answer.
 * @throws ProblemError for any other answer
 */
export function membersOf(answer: Answer): Members {
  const members = asMembers(answer.body);
  if (isSuccess(answer.status) && members) return members;
  throw problemOf(answer);
}

/** Makes the error of an answer that is no success. */
export function problemOf({ status, headers, body, retryAfterSeconds }: Answer): ProblemError {
  const members = asMembers(body);
  const text = (name: string) =>
    typeof members?.[name] === 'string' ? (members[name] as string) : undefined;
  return new ProblemError({
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

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

async function makeAttempt(
  transport: Transport,
  call: Call,
  attempts: number,
): Promise<Answer | NoAnswerError> {
  const { fetch, clock } = transport;
  const { method, url, headers, body, waitMs = 0, signal } = call;
  const limitMs = (call.timeoutMs ?? transport.timeoutMs) + waitMs;
  const ending = new AbortController();
  const giveUp = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  const release = () => signal?.removeEventListener('abort', giveUp);
  const { host } = new URL(url);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    ending.abort();
  }, limitMs);
  let stream: ReadableStream<Uint8Array> | undefined;
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal: ending.signal,
      // The client never follows a redirect: credentials go to the configured URL only.
      redirect: 'manual',
    });
    if (call.isStreamed && isSuccess(response.status) && response.body) {
      stream = readStream(response.body, { ending, idleMs: limitMs, signal, host, release });
    }
    const text = stream ? '' : await readText(response);
    return {
      status: response.status,
      headers: response.headers,
      body: parse(text),
      ...(stream && { stream }),
      retryAfterSeconds: readRetryAfter(response.headers.get('retry-after'), clock.now()),
      attempts,
    };
  } catch (error) {
    signal?.throwIfAborted();
    return isLate
      ? new NoAnswerError('TIMEOUT', `${host} did not answer within ${limitMs} ms.`, error)
      : new NoAnswerError('NETWORK_ERROR', `${host} cannot be reached.`, error);
  } finally {
    clearTimeout(timer);
    if (!stream) release();
  }
}

function describeRequest({ method, url, headers }: Call, attempt: number): SentRequest {
  const [withoutQuery = ''] = url.split('?');
  return { method, url: withoutQuery, headers: redactHeaders(headers), attempt };
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
