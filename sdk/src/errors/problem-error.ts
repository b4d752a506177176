import type { FieldFaultCode, ProblemCode } from './codes.ts';
import { PaymentRequestsError } from './payment-requests-error.ts';

/** A fault in one field of a refused call. */
export interface FieldFault {
  /** The field's path with dots, for example `payer.email`. */
  readonly field: string;
  /** The field's path by RFC 6901, for example `/payer/email`. */
  readonly pointer: string;
  /** A later version of the service may add a code: keep a default branch. */
  readonly code: FieldFaultCode;
  /** A sentence that says which value is valid. */
  readonly message: string;
}

export interface ProblemMembers {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly type: string | undefined;
  readonly errors: readonly FieldFault[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

/**
 * The service refused a call (`application/problem+json`, RFC 9457). An error answer that is no
 * problem document, for example a proxy's page, has the code `UNEXPECTED_ANSWER`.
 *
 * @example
 * try {
 *   await client.createPaymentRequest({ amount: '0.00', payer: { name: 'Ada' } });
 * } catch (error) {
 *   if (!(error instanceof ProblemError)) throw error;
 *   console.log(error.code, error.requestId);
 *   for (const fault of error.errors) console.log(fault.field, fault.message);
 * }
 */
export class ProblemError extends PaymentRequestsError {
  /** @internal */
  static override readonly errorName: string = 'ProblemError';
  /** Every code of this version. A later version may add a code: keep a default branch. */
  declare readonly code: ProblemCode | 'UNEXPECTED_ANSWER';
  readonly status: number;
  readonly title: string;
  /** The URL that explains the code. */
  readonly type: string | undefined;
  /** Every fault of the call; empty when no field is at fault. */
  readonly errors: readonly FieldFault[];
  /** The delay that the service asked for; the client has used up its retries. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: ProblemMembers) {
    super(problem.code, sentence(problem), problem);
    this.status = problem.status;
    this.title = problem.title;
    this.type = problem.type;
    this.errors = problem.errors;
    this.retryAfterSeconds = problem.retryAfterSeconds;
  }
}

function sentence({ code, detail, errors }: ProblemMembers): string {
  const faults = errors.map(({ field, message }) => (field ? `${field}: ${message}` : message));
  return [`${code}: ${detail}`, ...faults].join(' ');
}
