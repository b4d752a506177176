import { PaymentRequestsError } from './payment-requests-error.ts';

/**
 * A value that you gave is invalid, so no call was sent: an option, an id, an amount
 * (`INVALID_AMOUNT`) or a signing secret.
 */
export class InvalidArgumentError extends PaymentRequestsError {
  /** @internal */
  static override readonly errorName: string = 'InvalidArgumentError';
  declare readonly code: 'INVALID_ARGUMENT' | 'INVALID_AMOUNT';

  constructor(message: string, code: 'INVALID_ARGUMENT' | 'INVALID_AMOUNT' = 'INVALID_ARGUMENT') {
    super(code, message);
  }
}
