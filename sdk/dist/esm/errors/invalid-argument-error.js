import { PaymentRequestsError } from './payment-requests-error.js';
export class InvalidArgumentError extends PaymentRequestsError {
    static errorName = 'InvalidArgumentError';
    constructor(message, code = 'INVALID_ARGUMENT') {
        super(code, message);
    }
}
