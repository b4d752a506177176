import { fault, readInstant } from './find-faults.js';
import { Problem } from './problem.js';
import { CREATE_ERRORS, LIMITS, OUTCOMES, SCHEMAS } from './tables.js';
const DAY_MS = 86_400_000;
const LEAST_AHEAD_MS = LIMITS.leastExpirySeconds * 1000;
export function ruleFaults(body, now, currency) {
    const { deliveryMode, payer } = body;
    const given = (payer ?? {});
    const channel = deliveryMode === 'EMAIL' ? 'email' : deliveryMode === 'SMS' && 'mobileNumber';
    return [
        ...currencyFaults(body, currency),
        ...(channel && given[channel] === undefined
            ? [fault(`payer.${channel}`, 'REQUIRED', `too: deliveryMode is ${deliveryMode}`)]
            : []),
        ...payerFaults(payer),
        ...expiryFaults(body.expiryDateTime, now),
        ...urlFaults(body),
    ];
}
export function currencyFaults(body, currency) {
    if (!isText(body.currency) || body.currency === currency)
        return [];
    return [fault('currency', 'INVALID_VALUE', `as ${currency}, or leave it out`)];
}
export function payerFaults(payer) {
    if (typeof payer !== 'object' || payer === null)
        return [];
    const { name, email, mobileNumber } = payer;
    const faults = [];
    if (isText(name)) {
        const { length } = [...name.trim()];
        if (length === 0)
            faults.push(fault('payer.name', 'TOO_SHORT', 'in some characters'));
        if (length > 100)
            faults.push(fault('payer.name', 'TOO_LONG', 'at most 100 characters'));
    }
    if ((email ?? mobileNumber ?? undefined) === undefined) {
        faults.push(fault('payer.email', 'REQUIRED_ONE_OF', 'or payer.mobileNumber'));
    }
    if (isText(email) && !/^[^@\s]+@[^@\s]+$/.test(email)) {
        faults.push(fault('payer.email', 'INVALID_FORMAT', 'as an e-mail address'));
    }
    if (isText(mobileNumber) && !/^\d{10,15}$/.test(mobileNumber.replace(/[+\-() ]/g, ''))) {
        faults.push(fault('payer.mobileNumber', 'INVALID_FORMAT', 'with 10 to 15 digits'));
    }
    return faults;
}
export function expiryFaults(expiryDateTime, now) {
    const at = readInstant(expiryDateTime);
    if (at === null)
        return [];
    const aheadMs = at - now.getTime();
    const isFar = aheadMs > LIMITS.longestExpirySeconds * 1000;
    if (aheadMs >= LEAST_AHEAD_MS && !isFar)
        return [];
    const code = isFar ? 'TOO_HIGH' : 'TOO_LOW';
    return [fault('expiryDateTime', code, '5 minutes to 365 days ahead')];
}
export function defaultExpiry(createdMs, dueDate, nowMs) {
    const endOfDay = isText(dueDate) ? Date.parse(`${dueDate}T00:00Z`) + DAY_MS : 0;
    const wanted = Math.max(createdMs + LIMITS.defaultExpirySeconds * 1000, endOfDay);
    const most = createdMs + LIMITS.longestExpirySeconds * 1000;
    return Math.max(Math.min(wanted, most), nowMs + LEAST_AHEAD_MS);
}
export function urlFaults(body) {
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
        ...(isOne ? [] : [fault('callbackUrl', 'INVALID_VALUE', 'or webhookUrl, not two URLs')]),
        ...wrong.map((name) => fault(name, 'INVALID_VALUE', 'as a whole https:// URL')),
    ];
}
export function metadataFaults(metadata) {
    const count = Object.keys((metadata ?? {})).length;
    if (count <= LIMITS.mostMetadataKeys)
        return [];
    return [fault('metadata', 'TOO_LONG', `at most ${LIMITS.mostMetadataKeys} members`)];
}
export function stepsOfName(payerName) {
    const [name = '', ...parameters] = payerName.split(':');
    const wrong = [fault('payer.name', 'INVALID_VALUE', 'with the parameter of this name')];
    if (name === 'createError') {
        const code = ownOf(CREATE_ERRORS, parameters.join(':'));
        if (code && code !== 'VALIDATION_ERROR')
            throw new Problem(code);
        return wrong;
    }
    const isFail = name === 'depositFail';
    const [reason, ...rest] = isFail ? parameters : [null, ...parameters];
    if (isFail && !codesOf('simulation').includes(reason))
        return wrong;
    const rows = ownOf(OUTCOMES, isFail ? 'depositDecline' : name) ?? [];
    const seconds = secondsOf(rest);
    if (rows.length > 0 && seconds === null)
        return wrong;
    return rows.map(([after, cause, isLate, code]) => ({
        afterSeconds: (after * (seconds ?? 0)) / LIMITS.outcomeSeconds,
        ...{ cause, isLate, reason: reason ?? code },
    }));
}
function ownOf(table, name) {
    return Object.hasOwn(table, name) ? table[name] : undefined;
}
export function codesOf(name) {
    return SCHEMAS[name].properties?.reason?.enum ?? [];
}
export function secondsOf(parameters) {
    if (parameters.length === 0)
        return LIMITS.outcomeSeconds;
    const text = parameters.join(':');
    const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    return seconds <= LIMITS.mostOutcomeSeconds ? seconds : null;
}
export function isText(value) {
    return typeof value === 'string';
}
