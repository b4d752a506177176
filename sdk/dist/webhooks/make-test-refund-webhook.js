"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.makeTestRefundWebhook = makeTestRefundWebhook;
const amounts_ts_1 = require("../amounts.js");
const make_test_webhook_ts_1 = require("./make-test-webhook.js");
const REASON = { code: 'ACCOUNT_RESTRICTED', message: 'The payer’s account cannot be used.' };
function makeTestRefundWebhook({ amount = '10.00', status = 'COMPLETED', ...given }, credentials, options = {}) {
    const { id = crypto.randomUUID(), sequence = 2, now = new Date() } = options;
    const isFailed = status === 'FAILED';
    const reason = given.statusReason ?? REASON;
    const head = {
        eventType: isFailed ? 'REFUND-FAILED' : 'REFUND-COMPLETED',
        message: isFailed ? reason.message : 'The refund was completed.',
        resourceType: 'Payments API',
    };
    const at = now.toISOString();
    const members = {
        id: crypto.randomUUID(),
        paymentRequestId: crypto.randomUUID(),
        reason: 'REQUESTED_BY_CUSTOMER',
        currency: 'CAD',
        createdDateTime: at,
        events: [
            { status: 'CREATED', dateTime: at },
            { status, dateTime: at },
        ],
        links: [],
        ...(isFailed
            ? { statusReason: reason }
            : { payment: { networkReference: 'TEST-REFUND', completedDateTime: at } }),
        ...(0, make_test_webhook_ts_1.withoutUndefined)(given),
        status,
    };
    const rest = JSON.stringify(members).slice(1);
    const text = `{"amount":${(0, amounts_ts_1.centsToAmount)((0, amounts_ts_1.amountToCents)(amount))},${rest}`;
    return (0, make_test_webhook_ts_1.sealWebhook)(head, text, credentials, { id, sequence, now });
}
