/** One faulty field of a refused call. */
export interface FieldFault {
  /** The field's path with dots, as in `payer.email`. */
  readonly field: string;
  /** RFC 6901, as in `/payer/email`. */
  readonly pointer: string;
  readonly code: string;
  /** One sentence that says what to give. */
  readonly message: string;
}

/** What every error of this SDK is: `error instanceof PaymentRequestsError`. */
export class PaymentRequestsError extends Error {
  /** Says in one word what happened; safe to branch on. */
  readonly code: string;
  /** Names the call in the service's log. Quote it when you ask about it. */
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
 * The service refused a call (`application/problem+json`, RFC 9457). An answer that is no problem
 * document, as a proxy may send, has the code `UNEXPECTED_ANSWER`.
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
  /** Where the code is explained. */
  readonly type: string | undefined;
  /** All faulty fields at once; empty where none is. */
  readonly errors: readonly FieldFault[];
  /** When the service asked to try again; the client has done so as often as it may. */
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

/** The token call refused: wrong credentials, or those of the other environment. */
export class AccessTokenError extends PaymentRequestsError {
  readonly status: number;

  /** @param code of RFC 6749, as in `invalid_client` */
  constructor(code: string, status: number, requestId: string | undefined) {
    super(code, `The token call was refused with ${status} ${code}.`, { requestId });
    this.name = 'AccessTokenError';
    this.status = status;
  }
}

/**
 * No answer came: the network failed (`NETWORK_ERROR`) or the time was over (`TIMEOUT`). Whether
 * the call was done is unknown. A creation sent again with the same idempotency key is done once.
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
