import { createClient } from '../create-client.js';
import { newSigningSecret } from '../webhooks/signature.js';
import { createCalls } from './calls.js';
import { Payments } from './payments.js';
import { Refunds } from './refunds.js';
import { createSchedule } from './schedule.js';
import { CURRENCY } from './tables.js';
import { createWebhooks } from './webhooks.js';
const ORIGIN = 'https://pay.test';
export function createTestService(options = {}) {
    const { listener, eventTypes, startsAt = new Date(), currency = CURRENCY } = options;
    const credentials = options.listenerCredentials ?? {
        ...{ username: 'listener', password: crypto.randomUUID(), signingSecret: newSigningSecret() },
    };
    const schedule = createSchedule(startsAt);
    const webhooks = createWebhooks({ listener, eventTypes, credentials, schedule });
    const context = {
        ...{ schedule, emit: webhooks.emit, currency, origin: ORIGIN },
        merchant: {
            id: `mer_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`,
            name: 'Test Shop',
        },
    };
    const payments = new Payments(context);
    const apiKey = `sbx_${crypto.randomUUID()}`;
    const fetch = createCalls({
        ...context,
        payments,
        refunds: new Refunds(context),
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
        client: createClient(clientOptions),
        options: clientOptions,
        listenerCredentials: credentials,
        webhooks: webhooks.delivered,
        now: () => schedule.now(),
        advance: (seconds = 0) => schedule.advance(seconds),
    };
}
