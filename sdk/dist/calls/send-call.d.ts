import { type CallHooks } from '../call-hooks.js';
import type { Clock } from '../clock.js';
import { ProblemError } from '../errors/problem-error.js';
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
export declare function sendCall(transport: Transport, call: Call): Promise<Answer>;
/**
 * Gives the members of a successful answer.
 * @throws ProblemError for any other answer
 */
export declare function membersOf(answer: Answer): Members;
/** Makes the error of an answer that is no success. */
export declare function problemOf({ status, headers, body, retryAfterSeconds }: Answer): ProblemError;
export type Members = Readonly<Record<string, unknown>>;
export declare function isSuccess(status: number): boolean;
