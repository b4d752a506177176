import { PaymentRequestsError } from './payment-requests-error.js';
export class ProblemError extends PaymentRequestsError {
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
function sentence({ code, detail, errors }) {
    const faults = errors.map(({ field, message }) => (field ? `${field}: ${message}` : message));
    return [`${code}: ${detail}`, ...faults].join(' ');
}
