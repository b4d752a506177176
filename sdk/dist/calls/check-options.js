"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.checkCallOptions = checkCallOptions;
exports.pathSegment = pathSegment;
const invalid_argument_error_ts_1 = require("../errors/invalid-argument-error.js");
const LONGEST_TIMEOUT_MS = 86_400_000;
const MOST_RETRIES = 10;
function checkCallOptions({ timeoutMs, retries, idempotencyKey }, retriesName = 'retries') {
    if (timeoutMs !== undefined && !isWithin(timeoutMs, 1, LONGEST_TIMEOUT_MS)) {
        throw new invalid_argument_error_ts_1.InvalidArgumentError(`timeoutMs is ${timeoutMs}: give 1 to ${LONGEST_TIMEOUT_MS} milliseconds.`);
    }
    if (retries !== undefined && !isWithin(retries, 0, MOST_RETRIES)) {
        throw new invalid_argument_error_ts_1.InvalidArgumentError(`${retriesName} is ${retries}: give a whole number from 0 to ${MOST_RETRIES}.`);
    }
    if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
        throw new invalid_argument_error_ts_1.InvalidArgumentError('idempotencyKey needs 1 to 255 visible ASCII characters.');
    }
}
function pathSegment(id) {
    if (typeof id !== 'string' || id === '')
        throw new invalid_argument_error_ts_1.InvalidArgumentError('The id is missing.');
    if (/^\.{1,2}$/.test(id))
        throw new invalid_argument_error_ts_1.InvalidArgumentError(`${id} is not an id.`);
    return encodeURIComponent(id);
}
function isWithin(value, least, most) {
    return Number.isInteger(value) && value >= least && value <= most;
}
