"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ruleFaults = ruleFaults;
exports.currencyFaults = currencyFaults;
exports.payerFaults = payerFaults;
exports.expiryFaults = expiryFaults;
exports.defaultExpiry = defaultExpiry;
exports.urlFaults = urlFaults;
exports.metadataFaults = metadataFaults;
exports.stepsOfName = stepsOfName;
exports.codesOf = codesOf;
exports.secondsOf = secondsOf;
exports.isText = isText;
const find_faults_ts_1 = require("./find-faults.js");
const problem_ts_1 = require("./problem.js");
const tables_ts_1 = require("./tables.js");
const DAY_MS = 86_400_000;
const LEAST_AHEAD_MS = tables_ts_1.LIMITS.leastExpirySeconds * 1000;
function ruleFaults(body, now, currency) {
    const { deliveryMode, payer } = body;
    const given = (payer ?? {});
    const channel = deliveryMode === 'EMAIL' ? 'email' : deliveryMode === 'SMS' && 'mobileNumber';
    return [
        ...currencyFaults(body, currency),
        ...(channel && given[channel] === undefined
            ? [(0, find_faults_ts_1.fault)(`payer.${channel}`, 'REQUIRED', `too: deliveryMode is ${deliveryMode}`)]
            : []),
        ...payerFaults(payer),
        ...expiryFaults(body.expiryDateTime, now),
        ...urlFaults(body),
    ];
}
function currencyFaults(body, currency) {
    if (!isText(body.currency) || body.currency === currency)
        return [];
    return [(0, find_faults_ts_1.fault)('currency', 'INVALID_VALUE', `as ${currency}, or leave it out`)];
}
function payerFaults(payer) {
    if (typeof payer !== 'object' || payer === null)
        return [];
    const { name, email, mobileNumber } = payer;
    const faults = [];
    if (isText(name)) {
        const { length } = [...name.trim()];
        if (length === 0)
            faults.push((0, find_faults_ts_1.fault)('payer.name', 'TOO_SHORT', 'in some characters'));
        if (length > 100)
            faults.push((0, find_faults_ts_1.fault)('payer.name', 'TOO_LONG', 'at most 100 characters'));
    }
    if ((email ?? mobileNumber ?? undefined) === undefined) {
        faults.push((0, find_faults_ts_1.fault)('payer.email', 'REQUIRED_ONE_OF', 'or payer.mobileNumber'));
    }
    if (isText(email) && !/^[^@\s]+@[^@\s]+$/.test(email)) {
        faults.push((0, find_faults_ts_1.fault)('payer.email', 'INVALID_FORMAT', 'as an e-mail address'));
    }
    if (isText(mobileNumber) && !/^\d{10,15}$/.test(mobileNumber.replace(/[+\-() ]/g, ''))) {
        faults.push((0, find_faults_ts_1.fault)('payer.mobileNumber', 'INVALID_FORMAT', 'with 10 to 15 digits'));
    }
    return faults;
}
function expiryFaults(expiryDateTime, now) {
    const at = (0, find_faults_ts_1.readInstant)(expiryDateTime);
    if (at === null)
        return [];
    const aheadMs = at - now.getTime();
    const isFar = aheadMs > tables_ts_1.LIMITS.longestExpirySeconds * 1000;
    if (aheadMs >= LEAST_AHEAD_MS && !isFar)
        return [];
    const code = isFar ? 'TOO_HIGH' : 'TOO_LOW';
    return [(0, find_faults_ts_1.fault)('expiryDateTime', code, '5 minutes to 365 days ahead')];
}
function defaultExpiry(createdMs, dueDate, nowMs) {
    const endOfDay = isText(dueDate) ? Date.parse(`${dueDate}T00:00Z`) + DAY_MS : 0;
    const wanted = Math.max(createdMs + tables_ts_1.LIMITS.defaultExpirySeconds * 1000, endOfDay);
    const most = createdMs + tables_ts_1.LIMITS.longestExpirySeconds * 1000;
    return Math.max(Math.min(wanted, most), nowMs + LEAST_AHEAD_MS);
}
function urlFaults(body) {
    const { webhookUrl, callbackUrl } = body;
    const isOne = webhookUrl === undefined || callbackUrl === undefined || webhookUrl === callbackUrl;
    const wrong = ['webhookUrl', 'callbackUrl', 'returnUrl'].filter((name) => {
        const text = body[name];
        if (!isText(text) || text === '')
            return false;
        const { protocol, username, password } = URL.canParse(text) ? new URL(text) : {};
        return protocol !== 'https:' || username !== '' || password !== '';
    });
    return [
        ...(isOne ? [] : [(0, find_faults_ts_1.fault)('callbackUrl', 'INVALID_VALUE', 'or webhookUrl, not two URLs')]),
        ...wrong.map((name) => (0, find_faults_ts_1.fault)(name, 'INVALID_VALUE', 'as a whole https:// URL')),
    ];
}
function metadataFaults(metadata) {
    const count = Object.keys((metadata ?? {})).length;
    if (count <= tables_ts_1.LIMITS.mostMetadataKeys)
        return [];
    return [(0, find_faults_ts_1.fault)('metadata', 'TOO_LONG', `at most ${tables_ts_1.LIMITS.mostMetadataKeys} members`)];
}
function stepsOfName(payerName) {
    const [name = '', ...parameters] = payerName.split(':');
    const wrong = [(0, find_faults_ts_1.fault)('payer.name', 'INVALID_VALUE', 'with the parameter of this name')];
    if (name === 'createError') {
        const code = ownOf(tables_ts_1.CREATE_ERRORS, parameters.join(':'));
        if (code && code !== 'VALIDATION_ERROR')
            throw new problem_ts_1.Problem(code);
        return wrong;
    }
    const isFail = name === 'depositFail';
    const [reason, ...rest] = isFail ? parameters : [null, ...parameters];
    if (isFail && !codesOf('simulation').includes(reason))
        return wrong;
    const rows = ownOf(tables_ts_1.OUTCOMES, isFail ? 'depositDecline' : name) ?? [];
    const seconds = secondsOf(rest);
    if (rows.length > 0 && seconds === null)
        return wrong;
    return rows.map(([after, cause, isLate, code]) => ({
        afterSeconds: (after * (seconds ?? 0)) / tables_ts_1.LIMITS.outcomeSeconds,
        ...{ cause, isLate, reason: reason ?? code },
    }));
}
function ownOf(table, name) {
    return Object.hasOwn(table, name) ? table[name] : undefined;
}
function codesOf(name) {
    return tables_ts_1.SCHEMAS[name].properties?.reason?.enum ?? [];
}
function secondsOf(parameters) {
    if (parameters.length === 0)
        return tables_ts_1.LIMITS.outcomeSeconds;
    const text = parameters.join(':');
    const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    return seconds <= tables_ts_1.LIMITS.mostOutcomeSeconds ? seconds : null;
}
function isText(value) {
    return typeof value === 'string';
}
