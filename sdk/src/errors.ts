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

/**
 * The base class of every error of the SDK: `error instanceof PaymentRequestsError`. Only a call
 * that you abort rejects with another value: the reason of your signal.
 */
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

/** An environment of the service; its credentials carry its prefix. */
export type CredentialEnvironment = 'sandbox' | 'production';

export interface TokenRefusal {
  /** The code of RFC 6749, for example `invalid_client`. */
  readonly code: string;
  readonly status: number;
  /** The `error_description` of the answer. */
  readonly description?: string | undefined;
  readonly requestId?: string | undefined;
  readonly credentialEnvironment?: CredentialEnvironment | undefined;
}

const NAMED_ENVIRONMENT = /\b(sandbox|production) environment\b/;

/** The token call refused the credentials: wrong, or those of the other environment. */
export class AccessTokenError extends PaymentRequestsError {
  readonly status: number;
  /** The environment that the username's prefix names: `sbx_` is the sandbox's. */
  readonly credentialEnvironment: CredentialEnvironment | undefined;
  /** The environment of the service, when its answer names the environment. */
  readonly serviceEnvironment: CredentialEnvironment | undefined;

  constructor(refusal: TokenRefusal) {
    const [, named] = NAMED_ENVIRONMENT.exec(refusal.description ?? '') ?? [];
    const serviceEnvironment = named as CredentialEnvironment | undefined;
    super(refusal.code, refusalSentence(refusal, serviceEnvironment), refusal);
    this.name = 'AccessTokenError';
    this.status = refusal.status;
    this.credentialEnvironment = refusal.credentialEnvironment;
    this.serviceEnvironment = serviceEnvironment;
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

/**
 * A value that you gave is invalid, so no call was sent: an option, an id, an amount
 * (`INVALID_AMOUNT`) or a signing secret.
 */
export class InvalidArgumentError extends PaymentRequestsError {
  constructor(message: string, code: 'INVALID_ARGUMENT' | 'INVALID_AMOUNT' = 'INVALID_ARGUMENT') {
    super(code, message);
    this.name = 'InvalidArgumentError';
  }
}

const PREFIXES = { sbx_: 'sandbox', prd_: 'production' } as const;

/** A deployment in several cells begins its credentials with a mark, as in `c2-prd_`. */
const CELL_MARK = /^c\d{1,3}-/;

/** Reads the environment off a credential's prefix; undefined for a credential of another form. */
export function environmentOf(credential: string): CredentialEnvironment | undefined {
  const prefix = credential.replace(CELL_MARK, '').slice(0, 4);
  return PREFIXES[prefix as keyof typeof PREFIXES];
}

function refusalSentence(
  { code, status, description, credentialEnvironment: own }: TokenRefusal,
  service: CredentialEnvironment | undefined,
): string {
  const parts = [`The token call was refused with ${status} ${code}.`];
  if (description !== undefined) parts.push(description);
  if (own !== undefined && own !== service && code === 'invalid_client') {
    const prefix = own === 'sandbox' ? 'sbx_' : 'prd_';
    const owner = `The username begins with ${prefix}: it is a credential of ${own}`;
    parts.push(
      service === undefined
        ? `${owner}. Check that authUrl is the URL of ${own}.`
        : `${owner}, and this service is ${service}.`,
    );
  }
  return parts.join(' ');
}

function sentence({ code, detail, errors }: ProblemMembers): string {
  const faults = errors.map(({ field, message }) => (field ? `${field}: ${message}` : message));
  return [`${code}: ${detail}`, ...faults].join(' ');
}
