/** A fault in one field of a refused call. */
export interface FieldFault {
  /** The field's path with dots, for example `payer.email`. */
  readonly field: string;
  /** The field's path by RFC 6901, for example `/payer/email`. */
  readonly pointer: string;
  readonly code: string;
  /** A sentence that says which value is valid. */
  readonly message: string;
}

/** The base class of every error of the client: `error instanceof PaymentRequestsError`. */
export class PaymentRequestsError extends Error {
  /** Names the failure in one word; safe to branch on. */
  readonly code: string;
  /** Identifies the call in the service's log. Quote it in a question to the operator. */
  readonly requestId: string | undefined;

  constructor(
    code: string,
    message: string,
    {
      requestId,
      cause,
    }: { readonly requestId?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PaymentRequestsError';
    this.code = code;
    this.requestId = requestId;
  }
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
    this.name = 'ProblemError';
    this.status = problem.status;
    this.title = problem.title;
    this.type = problem.type;
    this.errors = problem.errors;
    this.retryAfterSeconds = problem.retryAfterSeconds;
  }
}

/** The token call refused the credentials: wrong, or those of the other environment. */
export class AccessTokenError extends PaymentRequestsError {
  readonly status: number;

  /** @param code of RFC 6749, for example `invalid_client` */
  constructor(code: string, status: number, requestId: string | undefined) {
    super(code, `The token call was refused with ${status} ${code}.`, { requestId });
    this.name = 'AccessTokenError';
    this.status = status;
  }
}

/**
 * No answer arrived: the network failed (`NETWORK_ERROR`) or the time-out passed (`TIMEOUT`). The
 * service may or may not have done the work. The service does a creation that you repeat with an
 * equal idempotency key once.
 */
export class NoAnswerError extends PaymentRequestsError {
  constructor(code: 'NETWORK_ERROR' | 'TIMEOUT', message: string, cause: unknown) {
    super(code, message, { cause });
    this.name = 'NoAnswerError';
  }
}

function sentence({ code, detail, errors }: ProblemMembers): string {
  const faults = errors.map(({ field, message }) => (field ? `${field}: ${message}` : message));
  return [`${code}: ${detail}`, ...faults].join(' ');
}
