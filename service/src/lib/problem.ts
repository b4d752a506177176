/**
 * Every problem that an answer can name (contract §7): a closed list, which `http/` maps
 * completely.
 */
export const PROBLEM_CODES = [
  'MALFORMED_REQUEST',
  'MALFORMED_JSON',
  'VALIDATION_ERROR',
  'API_KEY_MISSING',
  'API_KEY_INVALID',
  'ACCESS_TOKEN_MISSING',
  'ACCESS_TOKEN_INVALID',
  'ACCESS_TOKEN_EXPIRED',
  'CREDENTIAL_MISMATCH',
  'INSUFFICIENT_SCOPE',
  'MERCHANT_MISMATCH',
  'MERCHANT_SUSPENDED',
  'REFUNDS_DISABLED',
  'PAYMENT_REQUEST_NOT_FOUND',
  'REFUND_NOT_FOUND',
  'WEBHOOK_ENDPOINT_NOT_FOUND',
  'WEBHOOK_DELIVERY_NOT_FOUND',
  'WEBHOOK_REPLAY_NOT_FOUND',
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NOT_ACCEPTABLE',
  'REQUEST_TIMEOUT',
  'DUPLICATE_MERCHANT_TRANSACTION_ID',
  'NO_CREDITOR_ACCOUNT',
  'ALREADY_PAID',
  'ALREADY_EXPIRED',
  'ALREADY_FAILED',
  'ALREADY_CANCELLED',
  'PAYMENT_IN_PROGRESS',
  'NOT_PAID',
  'REFUNDS_NOT_SUPPORTED',
  'DUPLICATE_MERCHANT_REFUND_ID',
  'REFUND_LIMIT_REACHED',
  'REFUND_OUTCOME_IMPOSSIBLE',
  'ADVANCE_RUNNING',
  'NO_DELIVERY_CHANNEL',
  'MESSAGE_LIMIT_REACHED',
  'DUPLICATE_WEBHOOK_ENDPOINT',
  'TOO_MANY_WEBHOOK_ENDPOINTS',
  'WEBHOOK_ENDPOINT_PAUSED',
  'WEBHOOK_ENDPOINT_DELETED',
  'WEBHOOK_REPLAY_RUNNING',
  'SECRET_ROTATION_RUNNING',
  'IDEMPOTENCY_IN_PROGRESS',
  'ERASED',
  'VERSION_MISMATCH',
  'REFUND_AMOUNT_MISMATCH',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'MISDIRECTED_REQUEST',
  'IDEMPOTENCY_KEY_REUSED',
  'REFUND_AMOUNT_EXCEEDED',
  'HEADERS_TOO_LARGE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'TRANSFER_CODING_NOT_IMPLEMENTED',
  'TEMPORARILY_UNAVAILABLE',
  'HTTP_VERSION_NOT_SUPPORTED',
] as const;

export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** The refusals of an Idempotency-Key that another call has used (contract §4). */
export const IDEMPOTENCY_PROBLEM_CODES = [
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
] as const satisfies readonly ProblemCode[];

/** The check of a merchant's call refuses with these, in the order of contract §4. */
export const ACCESS_PROBLEM_CODES = [
  'API_KEY_MISSING',
  'API_KEY_INVALID',
  'ACCESS_TOKEN_MISSING',
  'ACCESS_TOKEN_INVALID',
  'ACCESS_TOKEN_EXPIRED',
  'CREDENTIAL_MISMATCH',
  'INSUFFICIENT_SCOPE',
  'MERCHANT_SUSPENDED',
  'RATE_LIMITED',
] as const satisfies readonly ProblemCode[];

/** The faults of one field (contract §7, VALIDATION_ERROR). */
export const FIELD_FAULT_CODES = [
  'REQUIRED',
  'REQUIRED_ONE_OF',
  'INVALID_TYPE',
  'INVALID_FORMAT',
  'INVALID_VALUE',
  'TOO_SHORT',
  'TOO_LONG',
  'TOO_LOW',
  'TOO_HIGH',
  'TOO_MANY_DECIMALS',
  'IMMUTABLE_FIELD',
  'UNKNOWN_FIELD',
] as const;

export type FieldFaultCode = (typeof FIELD_FAULT_CODES)[number];

export interface FieldFault {
  /** The field's path with dots, as in `payer.email`; empty for the body as a whole. */
  readonly field: string;
  readonly code: FieldFaultCode;
  /** A sentence that states the expected value. */
  readonly message: string;
  /** RFC 6901; needed only if a name in `field` contains a dot. */
  readonly pointer?: string;
}

export interface ProblemOptions {
  readonly errors?: readonly FieldFault[];
  /** Replaces the code's own sentence; public, so it must not describe the service's inside. */
  readonly detail?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** The refusal of a use case: a code. The form of the answer belongs to `http/`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly FieldFault[];
  readonly detail: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(
      options.detail ?? code,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'Problem';
    this.code = code;
    this.errors = options.errors ?? [];
    this.detail = options.detail;
    this.headers = options.headers ?? {};
  }
}
