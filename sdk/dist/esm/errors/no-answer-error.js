import { PaymentRequestsError } from './payment-requests-error.js';
export class NoAnswerError extends PaymentRequestsError {
    static errorName = 'NoAnswerError';
    constructor(code, message, cause) {
        super(code, message, { cause });
    }
}
