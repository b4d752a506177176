"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.LISTENER_CHECKS = void 0;
exports.postRewritten = postRewritten;
const node_crypto_1 = require("node:crypto");
const node_stream_1 = require("node:stream");
const promises_1 = require("node:timers/promises");
const make_test_webhook_ts_1 = require("../webhooks/make-test-webhook.js");
const signature_ts_1 = require("../webhooks/signature.js");
const post_webhook_ts_1 = require("./post-webhook.js");
const FAR_SECONDS = 3_600;
const PIECES = 8;
const PAUSE_BETWEEN_PIECES_MS = 50;
const DUPLICATES_AT_ONCE = 5;
const MESSAGE = 'This is a test. No payment took place.';
const RESOURCE = {
    id: '00000000-0000-0000-0000-000000000000',
    merchant: { id: 'mer_00000000000000000000', name: 'Demo Shop' },
    displayMessage: 'A test – one café au lait',
    statusReason: { code: 'PAYER_DECLINED', message: MESSAGE },
};
const FIRST_ADVICE = 'This is how every webhook looks. Compare the URL, the credentials and the signing secret that ' +
    'the listener expects with those given here.';
exports.LISTENER_CHECKS = [
    taken('a webhook', FIRST_ADVICE, async ({ post, secrets }) => {
        const event = await testEvent();
        return [await post(await (0, post_webhook_ts_1.webhookHeaders)(secrets, event), event.body)];
    }),
    taken('the same webhook again', 'Delivery is at least once: answer 2xx to a webhook-id that you know, and do nothing.', async ({ post, secrets }) => {
        const event = await testEvent();
        const send = async () => post(await (0, post_webhook_ts_1.webhookHeaders)(secrets, event), event.body);
        return [await send(), await send()];
    }),
    taken('the same webhook five times at once', 'Two deliveries can overlap: one of them must win without an error.', async ({ post, secrets }) => {
        const event = await testEvent();
        const send = async () => post(await (0, post_webhook_ts_1.webhookHeaders)(secrets, event), event.body);
        return Promise.all(Array.from({ length: DUPLICATES_AT_ONCE }, send));
    }),
    taken('events in the wrong order', 'After a replay an older event comes later: go by the status that you read, not by the order.', async ({ post, secrets }) => {
        const [first, second] = [await testEvent({ sequence: 1 }), await testEvent({ sequence: 2 })];
        const send = async (event) => post(await (0, post_webhook_ts_1.webhookHeaders)(secrets, event), event.body);
        return [await send(second), await send(first)];
    }),
    taken('a body that comes slowly', 'Read the whole body before you verify it.', async ({ post, secrets }) => {
        const event = await testEvent();
        const length = String(Buffer.byteLength(event.body));
        const headers = { ...(await (0, post_webhook_ts_1.webhookHeaders)(secrets, event)), 'content-length': length };
        return [await post(headers, node_stream_1.Readable.from(inPieces(event.body)))];
    }),
    taken('members that are not known', 'New members may be added: ignore what you do not know.', async ({ post, secrets }) => {
        const event = await testEvent({ extra: { laterMember: { some: 'thing' } } });
        return [await post(await (0, post_webhook_ts_1.webhookHeaders)(secrets, event), event.body)];
    }),
    taken('two signatures, one of them right', 'While a secret is changed both sign: take the webhook if one signature is right.', async ({ post, secrets }) => {
        const event = await testEvent();
        const headers = await (0, post_webhook_ts_1.webhookHeaders)(secrets, event);
        const other = await (0, post_webhook_ts_1.webhookHeaders)({ ...secrets, signingSecret: (0, signature_ts_1.newSigningSecret)() }, event);
        const both = `${other['webhook-signature']} ${headers['webhook-signature']}`;
        return [await post({ ...headers, 'webhook-signature': both }, event.body)];
    }),
    refused('a wrong signature', 'A listener that accepts this trusts any caller who knows the address.', (secrets, event) => (0, post_webhook_ts_1.webhookHeaders)({ ...secrets, signingSecret: (0, signature_ts_1.newSigningSecret)() }, event)),
    refused('no signature', 'A missing signature is a wrong one.', (secrets, event) => without((0, post_webhook_ts_1.webhookHeaders)(secrets, event), 'webhook-signature')),
    refused('no webhook-id', 'It is part of what is signed.', (secrets, event) => without((0, post_webhook_ts_1.webhookHeaders)(secrets, event), 'webhook-id')),
    refused('no webhook-timestamp', 'It is part of what is signed.', (secrets, event) => without((0, post_webhook_ts_1.webhookHeaders)(secrets, event), 'webhook-timestamp')),
    refused('a signature of another body', 'Verify the bytes that came: the signature is over the whole body.', async (secrets, event) => (0, post_webhook_ts_1.webhookHeaders)(secrets, { id: event.id, body: (await testEvent()).body })),
    refused('a signature of another webhook-id', 'The id is part of what is signed.', async (s, event) => ({
        ...(await (0, post_webhook_ts_1.webhookHeaders)(s, event)),
        'webhook-id': (0, node_crypto_1.randomUUID)(),
    })),
    refused('an old timestamp, rightly signed', 'Else whoever records a webhook can send it for ever: five minutes are enough.', (secrets, event) => (0, post_webhook_ts_1.webhookHeaders)(secrets, { ...event, timestamp: (0, post_webhook_ts_1.nowSeconds)() - FAR_SECONDS })),
    refused('a timestamp of the future', 'See the check of an old timestamp.', (secrets, event) => (0, post_webhook_ts_1.webhookHeaders)(secrets, { ...event, timestamp: (0, post_webhook_ts_1.nowSeconds)() + FAR_SECONDS })),
    refused('a wrong password', 'The Basic credentials must be right, too.', (secrets, event) => (0, post_webhook_ts_1.webhookHeaders)({ ...secrets, password: `${secrets.password}x` }, event)),
    refused('no Authorization', 'The Basic credentials must be right, too.', (secrets, event) => without((0, post_webhook_ts_1.webhookHeaders)(secrets, event), 'authorization')),
];
function taken(name, because, run) {
    return { name, because, run, expected: 'TAKEN' };
}
function refused(name, because, headersOf) {
    const run = async ({ post, secrets }) => {
        const event = await testEvent();
        return [await post(await headersOf(secrets, event), event.body)];
    };
    return { name, because, run, expected: 'REFUSED' };
}
async function without(headers, name) {
    const { [name]: _, ...rest } = await headers;
    return rest;
}
async function testEvent({ sequence = 1, extra = {} } = {}) {
    const [id, now] = [(0, node_crypto_1.randomUUID)(), new Date()];
    const head = {
        eventType: 'PAYMENT-FAILED',
        message: MESSAGE,
        resourceType: 'Payment Requests API',
    };
    const resource = (0, make_test_webhook_ts_1.writeResource)(RESOURCE, 'FAILED', now);
    const unsigned = { username: '', password: '', signingSecret: [] };
    const sealed = await (0, make_test_webhook_ts_1.sealWebhook)(head, resource, unsigned, { id, sequence, now });
    const body = `${sealed.body.slice(0, -1)},${JSON.stringify({ test: true, ...extra }).slice(1)}`;
    return { id, body };
}
async function postRewritten({ post, secrets }) {
    const { id, body } = await testEvent();
    const rewritten = JSON.stringify(JSON.parse(body));
    return post(await (0, post_webhook_ts_1.webhookHeaders)(secrets, { id, body: rewritten }), rewritten);
}
async function* inPieces(text) {
    const bytes = Buffer.from(text);
    const length = Math.ceil(bytes.length / PIECES);
    for (let at = 0; at < bytes.length; at += length) {
        if (at > 0)
            await (0, promises_1.setTimeout)(PAUSE_BETWEEN_PIECES_MS);
        yield bytes.subarray(at, at + length);
    }
}
