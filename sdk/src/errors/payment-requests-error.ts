/** The mark of every error of the SDK, in each build and version of the package. */
const MARK = Symbol.for('@payment-requests/sdk/error');

/**
 * The base class of every error of the SDK: `error instanceof PaymentRequestsError`. Only a call
 * that you abort rejects with another value: the reason of your signal.
 *
 * The package has a build for `import` and a build for `require`. `instanceof` recognises errors of
 * both, also in a program that loads both; `name` and `code` are equal in both.
 */
export class PaymentRequestsError extends Error {
  /**
   * The `name` of the errors of this class.
   * @internal
   */
  static readonly errorName: string = 'PaymentRequestsError';
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
    this.name = new.target.errorName;
    this.code = code;
    this.requestId = requestId;
  }

  /** @internal */
  get [MARK](): true {
    return true;
  }

  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the class right of instanceof
    return isOfKind(this, value);
  }
}

function isOfKind(kind: typeof PaymentRequestsError, value: unknown): boolean {
  if (Function.prototype[Symbol.hasInstance].call(kind, value)) return true;
  // A subclass of yours inherits the name, and has only instances of its own.
  if (!Object.hasOwn(kind, 'errorName') || !hasMark(value)) return false;
  return kind.errorName === 'PaymentRequestsError' || value.name === kind.errorName;
}

function hasMark(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && MARK in value;
}
