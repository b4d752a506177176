"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.InvalidArgumentError = void 0;
const payment_requests_error_ts_1 = require("./payment-requests-error.js");
class InvalidArgumentError extends payment_requests_error_ts_1.PaymentRequestsError {
    static errorName = 'InvalidArgumentError';
    constructor(message, code = 'INVALID_ARGUMENT') {
        super(code, message);
    }
}
exports.InvalidArgumentError = InvalidArgumentError;
