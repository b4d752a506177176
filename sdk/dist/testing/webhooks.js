"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createWebhooks = createWebhooks;
const invalid_argument_error_ts_1 = require("../errors/invalid-argument-error.js");
const make_test_webhook_ts_1 = require("../webhooks/make-test-webhook.js");
const signature_ts_1 = require("../webhooks/signature.js");
const amounts_ts_1 = require("./amounts.js");
const tables_ts_1 = require("./tables.js");
const ENDPOINT_URL = 'https://listener.test/webhooks';
const GONE = 410;
function createWebhooks({ listener, eventTypes, credentials, schedule }) {
    const delivered = [];
    for (const type of eventTypes ?? []) {
        if (type === '*' || Object.hasOwn(tables_ts_1.EVENT_TYPES, type))
            continue;
        throw new invalid_argument_error_ts_1.InvalidArgumentError(`eventTypes has "${type}", which is no type of an event.`);
    }
    const endpointUrl = typeof listener === 'string' ? listener : ENDPOINT_URL;
    function emit(event) {
        const [resourceType, isSpecified, goesToOwnUrl] = tables_ts_1.EVENT_TYPES[event.type];
        if (listener === undefined || event.misbehaviour === 'NO_WEBHOOK')
            return;
        const isAsked = eventTypes
            ? eventTypes.includes(event.type) || eventTypes.includes('*')
            : isSpecified;
        const { message, sequence } = event;
        const head = { eventType: event.type, message, resourceType };
        const resource = (0, amounts_ts_1.writeJson)(event.resource);
        const facts = { id: crypto.randomUUID(), sequence, now: schedule.now() };
        const urls = [goesToOwnUrl ? event.ownUrl : undefined, isAsked ? endpointUrl : undefined];
        for (const url of urls.filter((each) => typeof each === 'string')) {
            const attemptAt = (attempt, seconds) => schedule.at(schedule.now().getTime() + seconds * 1000, async () => {
                const isForged = event.misbehaviour === 'BAD_SIGNATURE' && attempt === 1;
                const signer = isForged
                    ? { ...credentials, signingSecret: (0, signature_ts_1.newSigningSecret)() }
                    : credentials;
                const made = await (0, make_test_webhook_ts_1.sealWebhook)(head, resource, signer, {
                    ...facts,
                    signedAt: new Date(),
                });
                const sent = { url, ...made, attempt };
                const answer = await send(listener, sent);
                const { status } = answer;
                delivered.push({ ...sent, ...answer });
                const isTaken = status !== null && status >= 200 && status < 300;
                const isRepeated = event.misbehaviour === 'DUPLICATE' && attempt === 1;
                const wait = isTaken ? (isRepeated ? 0 : undefined) : tables_ts_1.RETRY_SECONDS[attempt];
                if (wait === undefined || status === GONE)
                    return;
                const least = tables_ts_1.BUSY_STATUSES.includes(status ?? 0) ? tables_ts_1.LIMITS.busyListenerSeconds : 0;
                attemptAt(attempt + 1, Math.max(wait, least));
            });
            attemptAt(1, tables_ts_1.RETRY_SECONDS[0] ?? 0);
        }
    }
    return { emit, delivered };
}
async function send(listener, webhook) {
    const timeout = new AbortController();
    const { signal } = timeout;
    const timedOut = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const late = new Error('The listener gave no whole answer in time.');
    const timer = setTimeout(() => timeout.abort(late), tables_ts_1.LIMITS.exchangeMs);
    try {
        const post = typeof listener === 'string' ? postTo(listener, signal) : listener;
        const answer = await Promise.race([post(webhook), timedOut]);
        return { status: typeof answer === 'number' ? answer : answer.status };
    }
    catch (error) {
        return { status: null, error };
    }
    finally {
        clearTimeout(timer);
    }
}
function postTo(url, signal) {
    return async ({ method, headers, body }) => {
        const answer = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
        await answer.arrayBuffer();
        return answer;
    };
}
