"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.makeTestWebhook = makeTestWebhook;
exports.sealWebhook = sealWebhook;
exports.writeResource = writeResource;
exports.withoutUndefined = withoutUndefined;
const amounts_ts_1 = require("../amounts.js");
const signature_ts_1 = require("./signature.js");
const DAY_MS = 86_400_000;
const REASONS = {
    FAILED: { code: 'PAYER_DECLINED', message: 'The payer declined the payment request.' },
    EXPIRED: { code: 'LINK_EXPIRED', message: 'The payment request expired before it was paid.' },
    CANCELLED: {
        code: 'CANCELLED_BY_MERCHANT',
        message: 'The merchant cancelled the payment request.',
    },
};
async function makeTestWebhook(resource, credentials, { id = crypto.randomUUID(), sequence = 1, now = new Date(), eventType } = {}) {
    const { status = 'PAID' } = resource;
    const isPaid = status === 'PAID';
    const reason = resource.statusReason ?? REASONS[status];
    const head = {
        eventType: eventType ?? (isPaid ? 'PAYMENT-COMPLETED' : 'PAYMENT-FAILED'),
        message: reason?.message ?? (isPaid ? 'The payer completed the transaction.' : 'Not paid.'),
        resourceType: 'Payment Requests API',
    };
    const text = writeResource({ ...resource, ...(reason && { statusReason: reason }) }, status, now);
    return sealWebhook(head, text, credentials, { id, sequence, now });
}
async function sealWebhook(head, resource, { username, password, signingSecret }, { id, sequence, now, signedAt = now }) {
    const tail = { id, createdDateTime: now.toISOString(), sequence };
    const [start, end] = [JSON.stringify(head).slice(0, -1), JSON.stringify(tail).slice(1)];
    const body = `${start},"resource":${resource},${end}`.replace(/[/\u007f-\uffff]/g, (character) => character === '/' ? '\\/' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const timestamp = String(Math.floor(signedAt.getTime() / 1000));
    const message = { id, timestamp, body: (0, signature_ts_1.bytes)(body) };
    const secrets = [signingSecret].flat();
    const signatures = await Promise.all(secrets.map((secret) => (0, signature_ts_1.signWebhook)(secret, message)));
    const headers = {
        'content-type': 'application/json',
        authorization: (0, signature_ts_1.basicCredentials)(username, password),
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures.join(' '),
    };
    return { method: 'POST', headers, body, event: JSON.parse(body) };
}
function writeResource({ amount = '10.00', ...given }, status, now) {
    const id = given.id ?? crypto.randomUUID();
    const shortCode = given.shortCode ?? 'TESTtestTESTtest';
    const at = now.toISOString();
    const received = Number((0, amounts_ts_1.centsToAmount)((0, amounts_ts_1.amountToCents)(amount)));
    const members = {
        id,
        currency: 'CAD',
        type: 'ECOMM',
        payer: { name: 'Ada Lovelace', email: 'ada@example.com' },
        invoiceNumber: '1042',
        merchant: { id: '018f2c7e-bcd3-7a10-9f21-5e6d7c8b9a00', name: 'Demo Shop' },
        createdDateTime: at,
        dueDate: at.slice(0, 10),
        expiryDateTime: new Date(now.getTime() + DAY_MS).toISOString(),
        shortCode,
        paymentLink: `https://pay.example.com/pay/${shortCode}`,
        qrCodeLink: `https://pay.example.com/pay/qr/${shortCode}`,
        events: [
            { status: 'CREATED', dateTime: at },
            { status, dateTime: at },
        ],
        links: [{ rel: 'self', href: `https://pay.example.com/v1/payment-requests/${id}` }],
        ...(status === 'PAID' && {
            payment: {
                institution: 'Test Bank',
                networkReference: 'TEST',
                completedDateTime: at,
                amountReceived: received,
            },
            refundSummary: {
                status: 'NONE',
                amountReceived: received,
                amountReturned: 0,
                amountRefunded: 0,
                amountAvailable: received,
            },
        }),
        ...withoutUndefined(given),
        status,
    };
    const text = JSON.stringify(members);
    return `{"amount":${(0, amounts_ts_1.centsToAmount)((0, amounts_ts_1.amountToCents)(amount))},${text.slice(1)}`;
}
function withoutUndefined(given) {
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
