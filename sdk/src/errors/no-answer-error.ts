import { PaymentRequestsError } from './payment-requests-error.ts';

/**
 * No answer arrived: the network failed (`NETWORK_ERROR`) or the time-out passed (`TIMEOUT`). The
 * service may or may not have done the work. The service does a creation that you repeat with an
 * equal idempotency key once.
 */
export class NoAnswerError extends PaymentRequestsError {
  /** @internal */
  static override readonly errorName: string = 'NoAnswerError';
  declare readonly code: 'NETWORK_ERROR' | 'TIMEOUT';

  constructor(code: 'NETWORK_ERROR' | 'TIMEOUT', message: string, cause: unknown) {
    super(code, message, { cause });
  }
}
