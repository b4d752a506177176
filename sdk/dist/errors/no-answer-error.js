"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.NoAnswerError = void 0;
const payment_requests_error_ts_1 = require("./payment-requests-error.js");
class NoAnswerError extends payment_requests_error_ts_1.PaymentRequestsError {
    static errorName = 'NoAnswerError';
    constructor(code, message, cause) {
        super(code, message, { cause });
    }
}
exports.NoAnswerError = NoAnswerError;
