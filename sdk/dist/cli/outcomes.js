"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.OUTCOMES = void 0;
exports.readOutcome = readOutcome;
exports.describedOutcomes = describedOutcomes;
const payment_request_ts_1 = require("../payment-request.js");
const tool_ts_1 = require("./tool.js");
const MOST_SECONDS = 3_600;
const REFUSAL_CODES = payment_request_ts_1.STATUS_REASON_CODES.filter((code) => code !== 'LINK_EXPIRED' && code !== 'CANCELLED_BY_MERCHANT');
const CREATE_ERRORS = ['400', '401', '403', '409', '429', '500', '503'];
exports.OUTCOMES = [
    ['depositSubmit', 'PAID after about 10 seconds, with its webhook'],
    ['depositSubmit:N', 'the same after N seconds (0 to 3600); each name but createError takes :N'],
    ['depositDecline', 'FAILED, PAYER_DECLINED, after 10 seconds'],
    ['depositFail:CODE', 'FAILED with that statusReason code, after 10 seconds'],
    ['depositFail:CODE:N', 'the same after N seconds'],
    ['depositExpire', 'EXPIRED after 10 seconds'],
    ['depositProcessing', 'PROCESSING after 5 seconds, PAID after 10'],
    ['depositProcessingFail', 'PROCESSING after 5 seconds, FAILED after 10'],
    ['depositLate', 'EXPIRED after 10 seconds, PAID with paidLate after 20'],
    ['depositDuplicate', 'PAID after 10 seconds, and the same webhook sent twice'],
    [
        'depositBadSignature',
        'PAID after 10 seconds; the webhook first comes with a wrong signature, then rightly',
    ],
    ['depositNoWebhook', 'PAID after 10 seconds; the event is in the feed, and no webhook is sent'],
    [
        'createError:STATUS',
        'the create call itself answers that problem: 400, 401, 403, 409, 429, 500 or 503',
    ],
];
const N_RULE = `N as whole seconds from 0 to ${MOST_SECONDS}`;
const isSeconds = (text) => /^\d{1,4}$/.test(text) && Number(text) <= MOST_SECONDS;
const PARAMETERS = {
    depositFail: [
        (text) => {
            const [written, ...seconds] = text.split(':');
            const isCode = REFUSAL_CODES.some((code) => code === written);
            return isCode && (seconds.length === 0 || isSeconds(seconds.join(':')));
        },
        `Write depositFail:CODE with CODE as ${REFUSAL_CODES.join(', ')}, or depositFail:CODE:N ` +
            `with ${N_RULE}.`,
    ],
    createError: [
        (text) => CREATE_ERRORS.includes(text),
        `Write createError:STATUS with STATUS as ${CREATE_ERRORS.join(', ')}.`,
    ],
};
function readOutcome(text) {
    const [name = '', ...rest] = text.split(':');
    const parameter = rest.length > 0 ? rest.join(':') : null;
    const forms = exports.OUTCOMES.map(([form]) => form);
    if (!forms.some((form) => form.split(':')[0] === name)) {
        throw new tool_ts_1.InputFault(`Give one of ${forms.join(', ')}.`);
    }
    if (parameter === null && forms.includes(name))
        return text;
    const [isRight, rule] = PARAMETERS[name] ?? [isSeconds, `Write ${name}:N with ${N_RULE}.`];
    if (isRight(parameter ?? ''))
        return text;
    throw new tool_ts_1.InputFault(rule);
}
function describedOutcomes() {
    return exports.OUTCOMES.map(([name, effect]) => `  ${name.padEnd(22)} ${effect}`).join('\n');
}
