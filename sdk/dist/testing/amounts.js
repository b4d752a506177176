"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.decimal = decimal;
exports.writeJson = writeJson;
exports.amountOf = amountOf;
exports.amountFaults = amountFaults;
const amounts_ts_1 = require("../amounts.js");
const find_faults_ts_1 = require("./find-faults.js");
const MARK = crypto.randomUUID();
function decimal(cents) {
    return MARK + (0, amounts_ts_1.centsToAmount)(cents);
}
function writeJson(value) {
    return JSON.stringify(value).replaceAll(new RegExp(`"${MARK}([\\d.]+)"`, 'g'), '$1');
}
function amountOf(value, field, least = 1, mostCents = Number.MAX_SAFE_INTEGER) {
    if (value === undefined)
        return null;
    const amount = Number(value);
    if (Number.isNaN(amount))
        return (0, find_faults_ts_1.fault)(field, 'INVALID_TYPE', 'as a number');
    if (amount === 0 && least === 0)
        return 0;
    if (amount <= 0)
        return (0, find_faults_ts_1.fault)(field, 'TOO_LOW', `as at least 0.0${least}`);
    if (Number(amount.toFixed(2)) !== amount) {
        return (0, find_faults_ts_1.fault)(field, 'TOO_MANY_DECIMALS', 'with at most two decimals');
    }
    const cents = Math.round(amount * 100);
    if (cents <= mostCents)
        return cents;
    return (0, find_faults_ts_1.fault)(field, 'TOO_HIGH', `as at most ${(0, amounts_ts_1.centsToAmount)(mostCents)}`);
}
function amountFaults(...amounts) {
    return amounts.filter((each) => typeof each === 'object' && each !== null);
}
