"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ProblemError = void 0;
const payment_requests_error_ts_1 = require("./payment-requests-error.js");
class ProblemError extends payment_requests_error_ts_1.PaymentRequestsError {
    static errorName = 'ProblemError';
    status;
    title;
    type;
    errors;
    retryAfterSeconds;
    constructor(problem) {
        super(problem.code, sentence(problem), problem);
        this.status = problem.status;
        this.title = problem.title;
        this.type = problem.type;
        this.errors = problem.errors;
        this.retryAfterSeconds = problem.retryAfterSeconds;
    }
}
exports.ProblemError = ProblemError;
function sentence({ code, detail, errors }) {
    const faults = errors.map(({ field, message }) => (field ? `${field}: ${message}` : message));
    return [`${code}: ${detail}`, ...faults].join(' ');
}
