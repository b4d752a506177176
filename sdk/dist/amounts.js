"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.amountToCents = amountToCents;
exports.centsToAmount = centsToAmount;
const invalid_argument_error_ts_1 = require("./errors/invalid-argument-error.js");
const DECIMAL = /^(\d{1,13})(?:\.(\d{1,2}))?$/;
function amountToCents(amount) {
    const [, units = '', decimals = ''] = DECIMAL.exec(String(amount)) ?? [];
    if (units === '') {
        throw new invalid_argument_error_ts_1.InvalidArgumentError(`${JSON.stringify(amount)} is not an amount: give a decimal string with at most two ` +
            "decimals, as in '25.50'.", 'INVALID_AMOUNT');
    }
    return Number(units) * 100 + Number(decimals.padEnd(2, '0'));
}
function centsToAmount(cents) {
    if (!Number.isSafeInteger(cents) || cents < 0) {
        throw new invalid_argument_error_ts_1.InvalidArgumentError(`${cents} is not a whole number of cents.`, 'INVALID_AMOUNT');
    }
    const digits = String(cents).padStart(3, '0');
    return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
