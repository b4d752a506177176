"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.trigger = void 0;
const amounts_ts_1 = require("../amounts.js");
const credential_environment_ts_1 = require("../errors/credential-environment.js");
const align_columns_ts_1 = require("./align-columns.js");
const follow_feed_ts_1 = require("./follow-feed.js");
const merchant_access_ts_1 = require("./merchant-access.js");
const merchant_api_ts_1 = require("./merchant-api.js");
const outcomes_ts_1 = require("./outcomes.js");
const tool_ts_1 = require("./tool.js");
const wait_for_webhooks_ts_1 = require("./wait-for-webhooks.js");
const DEFAULT_TIMEOUT_SECONDS = 60;
const outcomeName = {
    placeholder: '<outcome>',
    summary: 'a payer name of the simulator',
    isArgument: true,
    read: outcomes_ts_1.readOutcome,
};
const amount = {
    placeholder: '<amount>',
    summary: 'the requested amount',
    read: readAmount,
    usual: '10.00',
};
const timeout = {
    placeholder: '<seconds>',
    summary: 'the longest wait',
    read: readSeconds,
    usual: DEFAULT_TIMEOUT_SECONDS,
};
exports.trigger = (0, tool_ts_1.defineTool)({
    name: 'trigger',
    summary: 'create a sandbox payment request with this outcome, and wait for its webhook',
    inputs: {
        outcome: outcomeName,
        amount,
        webhookUrl: (0, tool_ts_1.option)('<url>', 'the payment request’s own webhookUrl'),
        timeout,
        json: (0, tool_ts_1.flag)('print one JSON document instead of text'),
        ...merchant_access_ts_1.ACCESS_INPUTS,
    },
    more: () => `\nOutcomes:\n${(0, outcomes_ts_1.describedOutcomes)()}`,
    async run(options) {
        const { outcome } = options;
        const access = await (0, merchant_access_ts_1.readAccess)(options);
        if ((0, credential_environment_ts_1.environmentOf)(access.username) === 'production') {
            throw new tool_ts_1.ToolFault('These are credentials of production, which has no simulator.');
        }
        const signal = AbortSignal.timeout(options.timeout * 1000);
        const api = (0, merchant_api_ts_1.createMerchantApi)(access, signal);
        const place = await api.call('GET', '/events?after=latest');
        if (place.status !== 200)
            throw new tool_ts_1.ToolFault(`The feed answered ${(0, merchant_api_ts_1.describeProblem)(place)}`);
        const created = await create(api, options);
        if ('lines' in created)
            return created;
        const events = await waitForEvents(api, {
            after: place.json.nextCursor,
            paymentRequestId: created.id,
            count: eventsOf(outcome),
            signal,
        });
        if (events.length < eventsOf(outcome)) {
            throw new tool_ts_1.ToolFault(`${created.id} had ${events.length} of ${eventsOf(outcome)} events within ` +
                `${options.timeout} s. Does a process with the background role run?`);
        }
        const webhooks = await (0, wait_for_webhooks_ts_1.waitForWebhooks)((0, merchant_api_ts_1.createMerchantApi)(access), created.id, signal);
        return {
            value: {
                paymentRequestId: created.id,
                events: events.map(({ body: _, ...event }) => event),
                webhooks,
            },
            lines: [
                ...events.map(({ eventType, resource, id }) => `${eventType}  ${resource.status}  ${resource.id}  (${id})`),
                ...webhooksInWords(webhooks, outcome),
            ].map(align_columns_ts_1.withoutControls),
            isOk: webhooks === null || isDelivered(webhooks, outcome),
        };
    },
});
const WITHOUT_WEBHOOK = 'depositNoWebhook';
function isDelivered(webhooks, outcome) {
    if (webhooks.length === 0)
        return outcome === WITHOUT_WEBHOOK;
    return webhooks.every(({ status }) => status === 'SUCCEEDED');
}
const NO_ADDRESS = 'No webhook is sent: the payment request has no webhookUrl, and no endpoint takes the event. ' +
    'Give --webhook-url, or register an endpoint.';
function webhooksInWords(webhooks, outcome) {
    if (webhooks === null)
        return ['These credentials may not look at webhooks (webhook/manage).'];
    if (webhooks.length === 0) {
        return [
            outcome === WITHOUT_WEBHOOK ? `No webhook is sent: ${outcome} asks for none.` : NO_ADDRESS,
        ];
    }
    return webhooks.map(({ status, url, attempts, outcome, httpStatus }) => {
        const last = outcome ? `, the last: ${[outcome, httpStatus].filter(Boolean).join(' ')}` : '';
        return `webhook  ${status}  ${url}  (attempts: ${attempts}${last})`;
    });
}
async function create(api, { outcome, amount, webhookUrl }) {
    const answer = await api.call('POST', '/payment-requests', {
        amount: Number(amount),
        type: 'ECOMM',
        payer: { name: outcome, email: 'payer@example.com' },
        ...(webhookUrl && { webhookUrl }),
    });
    if (answer.status === 201)
        return answer.json;
    if (!outcome.startsWith('createError')) {
        throw new tool_ts_1.ToolFault(`The creation answered ${(0, merchant_api_ts_1.describeProblem)(answer)}`);
    }
    const { status, json } = answer;
    return { value: { status, answer: json }, lines: [(0, merchant_api_ts_1.describeProblem)(answer)], isOk: true };
}
async function waitForEvents(api, { after, paymentRequestId, count, signal }) {
    const found = [];
    const following = (0, follow_feed_ts_1.followFeed)(api, { after, eventTypes: null, signal, onTrouble() { } });
    for await (const { events } of following) {
        found.push(...events.filter(({ resource }) => resource.id === paymentRequestId));
        if (found.length >= count)
            break;
    }
    return found;
}
function eventsOf(outcome) {
    return outcome === 'depositLate' ? 2 : 1;
}
function readAmount(text) {
    try {
        (0, amounts_ts_1.amountToCents)(text);
        return text;
    }
    catch {
        throw new tool_ts_1.InputFault('Give an amount, as in 10.00.');
    }
}
function readSeconds(text) {
    const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (value >= 1 && value <= 7_200)
        return value;
    throw new tool_ts_1.InputFault('Give seconds, from 1 to 7200.');
}
