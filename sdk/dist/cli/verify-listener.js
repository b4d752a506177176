"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.verifyListener = void 0;
const align_columns_ts_1 = require("./align-columns.js");
const checks_ts_1 = require("./checks.js");
const merchant_access_ts_1 = require("./merchant-access.js");
const post_webhook_ts_1 = require("./post-webhook.js");
const tool_ts_1 = require("./tool.js");
const unseen_faults_ts_1 = require("./unseen-faults.js");
const url = {
    placeholder: '<url>',
    summary: 'the URL of the listener',
    isArgument: true,
    read: post_webhook_ts_1.httpUrl,
};
const timeout = {
    placeholder: '<seconds>',
    summary: 'the longest wait for an answer; the service waits as long as the default',
    read: readTimeout,
    usual: post_webhook_ts_1.LONGEST_EXCHANGE_SECONDS,
};
exports.verifyListener = (0, tool_ts_1.defineTool)({
    name: 'verify-listener',
    summary: 'send a listener webhooks that it must accept and webhooks that it must refuse; exit code ' +
        '1 if it does otherwise. All webhooks are marked as tests, for no payment request',
    inputs: {
        url,
        timeout,
        json: (0, tool_ts_1.flag)('print one JSON document instead of text'),
        ...merchant_access_ts_1.LOCAL_INPUTS,
        ...merchant_access_ts_1.LISTENER_INPUTS,
    },
    more: (program) => '\nThe listener must expect the given credentials; default: those of the local merchant, ' +
        `as ${program} listen has them.`,
    async run(options, { program }) {
        const secrets = await (0, merchant_access_ts_1.readListener)(options);
        const authority = await (0, merchant_access_ts_1.readLocalAuthority)(options);
        const post = (0, post_webhook_ts_1.createWebhookPost)(options.url, authority, options.timeout);
        const unseen = (0, unseen_faults_ts_1.unseenFaults)(program);
        const result = { ...(await runAll({ post, secrets })), unseen };
        return { value: result, lines: inWords(options.url, result), isOk: result.ok };
    },
});
const DIAGNOSES = {
    REFUSES_ALL: 'The listener refuses every right webhook. Compare the URL, the username and password, and ' +
        'the signing secret that it expects with those given here. The key of the signature is the ' +
        'base64 text after whsec_, decoded to bytes.',
    UNREACHABLE: 'Start the listener, or correct the URL.',
    SLOW: 'Store the event, answer 2xx, and work later: the service waits no longer than 15 s.',
    REWRITES_BODY: 'The listener verifies a copy of the body that was parsed and written again. Verify the ' +
        'bytes that came: real amounts stand as 10.00, and a copy has 10.',
};
async function runAll(listener) {
    const judged = [];
    let diagnosis = null;
    for (const check of checks_ts_1.LISTENER_CHECKS) {
        const result = await runOne(check, listener);
        judged.push(result);
        if (judged.length === 1 && !result.ok)
            diagnosis = await diagnose(listener, result.answers);
        if (diagnosis === 'UNREACHABLE' || diagnosis === 'SLOW')
            break;
    }
    if (diagnosis === null && judged.every(isRefused))
        diagnosis = 'REFUSES_ALL';
    return { ok: judged.every(({ ok }) => ok), diagnosis, checks: judged };
}
function isRefused({ expected, answers }) {
    if (expected === 'REFUSED')
        return true;
    return answers.every(({ status }) => status !== null && status >= 400 && status < 500);
}
async function runOne({ name, expected, because, run }, listener) {
    const answers = await run(listener);
    const ok = answers.length > 0 && answers.every((answer) => fits(answer, expected));
    const isTooSlow = answers.some((answer) => answer.isTooSlow);
    return { name, ok, expected, answers, because: isTooSlow ? DIAGNOSES.SLOW : because };
}
async function diagnose(listener, [first]) {
    if (first?.isTooSlow)
        return 'SLOW';
    if (first?.status == null)
        return 'UNREACHABLE';
    return fits(await (0, checks_ts_1.postRewritten)(listener), 'TAKEN') ? 'REWRITES_BODY' : null;
}
function fits({ status }, expected) {
    if (status === null)
        return false;
    if (expected === 'TAKEN')
        return status >= 200 && status < 300;
    return status >= 400 && status < 500 && status !== 410 && status !== 404;
}
function inWords(url, { diagnosis, checks, unseen }) {
    if (diagnosis === 'UNREACHABLE') {
        const reason = checks[0]?.answers[0]?.text ?? '';
        return [`No answer from ${url}: ${reason}. ${DIAGNOSES.UNREACHABLE}`];
    }
    const faults = checks.filter(({ ok }) => !ok);
    const lines = (0, align_columns_ts_1.alignColumns)(checks.map(({ ok, name, expected, answers }) => [
        ok ? 'ok  ' : 'FAIL',
        name,
        `must be ${expected.toLowerCase()}`,
        answersInWords(answers),
    ]));
    const reasons = faults.map(({ name, because }) => `- ${name}: ${because}`);
    if (diagnosis === 'SLOW')
        return [...lines, '', 'No other check was run.', ...reasons];
    const verdict = faults.length === 0
        ? `The listener is right in all ${checks.length} checks.`
        : `${faults.length} of ${checks.length} checks failed.`;
    const explained = diagnosis ? [DIAGNOSES[diagnosis]] : reasons;
    return [...lines, '', verdict, ...explained, '', ...(0, unseen_faults_ts_1.unseenInWords)(unseen, url)];
}
function answersInWords(answers) {
    const said = answers.map(({ status, text }) => (status === null ? text : String(status)));
    const slowestMs = Math.max(...answers.map(({ durationMs }) => durationMs));
    return `${[...new Set(said)].join(', ')} (${slowestMs} ms)`;
}
function readTimeout(text) {
    const value = /^\d{1,2}$/.test(text) ? Number(text) : 0;
    if (value >= 1 && value <= post_webhook_ts_1.LONGEST_EXCHANGE_SECONDS)
        return value;
    throw new tool_ts_1.InputFault(`Give seconds, from 1 to ${post_webhook_ts_1.LONGEST_EXCHANGE_SECONDS}.`);
}
