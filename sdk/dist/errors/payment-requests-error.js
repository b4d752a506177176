"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.PaymentRequestsError = void 0;
const MARK = Symbol.for('@payment-requests/sdk/error');
class PaymentRequestsError extends Error {
    static errorName = 'PaymentRequestsError';
    code;
    requestId;
    constructor(code, message, { requestId, cause, } = {}) {
        super(message, cause === undefined ? undefined : { cause });
        this.name = new.target.errorName;
        this.code = code;
        this.requestId = requestId;
    }
    get [MARK]() {
        return true;
    }
    static [Symbol.hasInstance](value) {
        return isOfKind(this, value);
    }
}
exports.PaymentRequestsError = PaymentRequestsError;
function isOfKind(kind, value) {
    if (Function.prototype[Symbol.hasInstance].call(kind, value))
        return true;
    if (!Object.hasOwn(kind, 'errorName') || !hasMark(value))
        return false;
    return kind.errorName === 'PaymentRequestsError' || value.name === kind.errorName;
}
function hasMark(value) {
    return typeof value === 'object' && value !== null && MARK in value;
}
