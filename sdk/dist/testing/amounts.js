"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.decimal = decimal;
exports.writeJson = writeJson;
exports.readAmount = readAmount;
exports.amountOf = amountOf;
const amounts_ts_1 = require("../amounts.js");
const find_faults_ts_1 = require("./find-faults.js");
const MARK = crypto.randomUUID();
function decimal(cents) {
    return MARK + (0, amounts_ts_1.centsToAmount)(cents);
}
function writeJson(value) {
    return JSON.stringify(value).replaceAll(new RegExp(`"${MARK}([\\d.]+)"`, 'g'), '$1');
}
function readAmount(body, field, { least, mostCents }) {
    const [, source] = new RegExp(`"${field}"\\s*:\\s*(-?[\\d.eE+-]+)`).exec(body) ?? [];
    return source === undefined ? null : amountOf(source, field, least, mostCents);
}
function amountOf(source, field, least = 1, mostCents = Number.MAX_SAFE_INTEGER) {
    const value = Number(source);
    if (Number.isNaN(value))
        return (0, find_faults_ts_1.fault)(field, 'INVALID_TYPE', 'as a number');
    if (value === 0 && least === 0)
        return 0;
    if (!(value > 0))
        return (0, find_faults_ts_1.fault)(field, 'TOO_LOW', `as at least 0.0${least}`);
    const [, decimals = ''] = source.split('.');
    if (/[1-9]/.test(decimals.slice(2))) {
        return (0, find_faults_ts_1.fault)(field, 'TOO_MANY_DECIMALS', 'with at most two decimals');
    }
    const cents = Math.round(value * 100);
    if (cents <= mostCents)
        return cents;
    return (0, find_faults_ts_1.fault)(field, 'TOO_HIGH', `as at most ${(0, amounts_ts_1.centsToAmount)(mostCents)}`);
}
