"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createTestService = createTestService;
const create_client_ts_1 = require("../create-client.js");
const signature_ts_1 = require("../webhooks/signature.js");
const calls_ts_1 = require("./calls.js");
const payments_ts_1 = require("./payments.js");
const refunds_ts_1 = require("./refunds.js");
const schedule_ts_1 = require("./schedule.js");
const tables_ts_1 = require("./tables.js");
const webhooks_ts_1 = require("./webhooks.js");
const ORIGIN = 'https://pay.test';
function createTestService(options = {}) {
    const { listener, eventTypes, startsAt = new Date(), currency = tables_ts_1.CURRENCY } = options;
    const credentials = options.listenerCredentials ?? {
        ...{ username: 'listener', password: crypto.randomUUID(), signingSecret: (0, signature_ts_1.newSigningSecret)() },
    };
    const schedule = (0, schedule_ts_1.createSchedule)(startsAt);
    const webhooks = (0, webhooks_ts_1.createWebhooks)({ listener, eventTypes, credentials, schedule });
    const context = {
        ...{ schedule, emit: webhooks.emit, currency, origin: ORIGIN },
        merchant: {
            id: `mer_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`,
            name: 'Test Shop',
        },
    };
    const payments = new payments_ts_1.Payments(context);
    const apiKey = `sbx_${crypto.randomUUID()}`;
    const fetch = (0, calls_ts_1.createCalls)({
        ...context,
        payments,
        refunds: new refunds_ts_1.Refunds(context),
        apiKey,
    });
    const clientOptions = {
        baseUrl: `${ORIGIN}/v1`,
        authUrl: `${ORIGIN}/oauth2/token`,
        ...{ username: 'sbx_test', password: 'test', apiKey, fetch },
        clock: {
            now: () => schedule.now().getTime(),
            sleep: (delayMs) => schedule.advance(delayMs / 1000),
        },
    };
    return {
        client: (0, create_client_ts_1.createClient)(clientOptions),
        options: clientOptions,
        listenerCredentials: credentials,
        webhooks: webhooks.delivered,
        now: () => schedule.now(),
        advance: (seconds = 0) => schedule.advance(seconds),
    };
}
