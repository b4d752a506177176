"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.sendCall = sendCall;
exports.membersOf = membersOf;
exports.problemOf = problemOf;
exports.isSuccess = isSuccess;
const call_hooks_ts_1 = require("../call-hooks.js");
const no_answer_error_ts_1 = require("../errors/no-answer-error.js");
const problem_error_ts_1 = require("../errors/problem-error.js");
const read_stream_ts_1 = require("./read-stream.js");
const read_text_ts_1 = require("./read-text.js");
const retry_delay_ts_1 = require("./retry-delay.js");
async function sendCall(transport, call) {
    const { clock, hooks } = transport;
    const { repeatable, retries = transport.maxRetries } = call;
    const headers = { ...call.headers, 'user-agent': transport.userAgent };
    for (let attempt = 1;; attempt += 1) {
        call.signal?.throwIfAborted();
        const sent = describeRequest({ ...call, headers }, attempt);
        (0, call_hooks_ts_1.callHook)(hooks.onRequest, sent);
        const startedAt = clock.now();
        const outcome = await makeAttempt(transport, { ...call, headers }, attempt);
        const durationMs = clock.now() - startedAt;
        const random = Math.random();
        const retryInMs = attempt > retries
            ? null
            : (0, retry_delay_ts_1.retryDelayMs)(asAttempt(outcome), { failed: attempt, repeatable, random });
        const hasAnswer = !(outcome instanceof no_answer_error_ts_1.NoAnswerError);
        const status = hasAnswer ? outcome.status : null;
        const requestId = hasAnswer ? (outcome.headers.get('x-request-id') ?? undefined) : undefined;
        (0, call_hooks_ts_1.callHook)(hooks.onResponse, { ...sent, status, requestId, durationMs, retryInMs });
        if (retryInMs === null) {
            if (outcome instanceof no_answer_error_ts_1.NoAnswerError)
                throw outcome;
            return outcome;
        }
        await clock.sleep(retryInMs, call.signal);
    }
}
function membersOf(answer) {
    const members = asMembers(answer.body);
    if (isSuccess(answer.status) && members)
        return members;
    throw problemOf(answer);
}
function problemOf({ status, headers, body, retryAfterSeconds }) {
    const members = asMembers(body);
    const text = (name) => typeof members?.[name] === 'string' ? members[name] : undefined;
    return new problem_error_ts_1.ProblemError({
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
function isSuccess(status) {
    return status >= 200 && status < 300;
}
async function makeAttempt(transport, call, attempts) {
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
    let stream;
    try {
        const response = await fetch(url, {
            method,
            headers,
            ...(body !== undefined && { body }),
            signal: ending.signal,
            redirect: 'manual',
        });
        if (call.isStreamed && isSuccess(response.status) && response.body) {
            stream = (0, read_stream_ts_1.readStream)(response.body, { ending, idleMs: limitMs, signal, host, release });
        }
        const text = stream ? '' : await (0, read_text_ts_1.readText)(response);
        return {
            status: response.status,
            headers: response.headers,
            body: parse(text),
            ...(stream && { stream }),
            retryAfterSeconds: (0, retry_delay_ts_1.readRetryAfter)(response.headers.get('retry-after'), clock.now()),
            attempts,
        };
    }
    catch (error) {
        signal?.throwIfAborted();
        return isLate
            ? new no_answer_error_ts_1.NoAnswerError('TIMEOUT', `${host} did not answer within ${limitMs} ms.`, error)
            : new no_answer_error_ts_1.NoAnswerError('NETWORK_ERROR', `${host} cannot be reached.`, error);
    }
    finally {
        clearTimeout(timer);
        if (!stream)
            release();
    }
}
function describeRequest({ method, url, headers }, attempt) {
    const [withoutQuery = ''] = url.split('?');
    return { method, url: withoutQuery, headers: (0, call_hooks_ts_1.redactHeaders)(headers), attempt };
}
function asAttempt(outcome) {
    if (outcome instanceof no_answer_error_ts_1.NoAnswerError) {
        return { status: null, code: undefined, retryAfterSeconds: undefined };
    }
    const code = asMembers(outcome.body)?.code;
    return { ...outcome, code: typeof code === 'string' ? code : undefined };
}
function parse(text) {
    try {
        return text === '' ? undefined : JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
function asMembers(body) {
    return typeof body === 'object' && body !== null ? body : undefined;
}
