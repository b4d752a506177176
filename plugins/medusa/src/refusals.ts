import { MedusaError } from '@medusajs/framework/utils';
import { InvalidArgumentError, ProblemError } from '@payment-requests/sdk';

const { INVALID_DATA, NOT_ALLOWED, UNEXPECTED_STATE } = MedusaError.Types;

/** An error of a call as Medusa's API answers it: with the fields that the service refused. */
export function refusalOf(error: unknown, act: string): MedusaError {
  if (error instanceof MedusaError) return error;
  if (error instanceof InvalidArgumentError) return new MedusaError(INVALID_DATA, error.message);
  if (error instanceof ProblemError) {
    const faults = error.errors.map(({ field, message }) => `${field}: ${message}`);
    const reason = faults.length > 0 ? faults.join(' ') : error.message;
    return new MedusaError(INVALID_DATA, `${act}: ${reason}`, error.code);
  }
  const reason = error instanceof Error ? error.message : 'no answer';
  return new MedusaError(UNEXPECTED_STATE, `${act}: ${reason}`);
}

export function notAllowed(reason: string): MedusaError {
  return new MedusaError(NOT_ALLOWED, reason);
}
