import { PaymentRequestsError } from './payment-requests-error.js';
/**
 * No answer arrived: the network failed (`NETWORK_ERROR`) or the time-out passed (`TIMEOUT`). The
 * service may or may not have done the work. The service does a creation that you repeat with an
 * equal idempotency key once.
 */
export declare class NoAnswerError extends PaymentRequestsError {
    readonly code: 'NETWORK_ERROR' | 'TIMEOUT';
    constructor(code: 'NETWORK_ERROR' | 'TIMEOUT', message: string, cause: unknown);
}
