import { PaymentRequestsError } from './payment-requests-error.js';
/**
 * A value that you gave is invalid, so no call was sent: an option, an id, an amount
 * (`INVALID_AMOUNT`) or a signing secret.
 */
export declare class InvalidArgumentError extends PaymentRequestsError {
    readonly code: 'INVALID_ARGUMENT' | 'INVALID_AMOUNT';
    constructor(message: string, code?: 'INVALID_ARGUMENT' | 'INVALID_AMOUNT');
}
