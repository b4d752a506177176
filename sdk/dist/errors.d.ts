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
export declare class PaymentRequestsError extends Error {
    /** Names the failure in one word; safe to branch on. */
    readonly code: string;
    /** Identifies the call in the service's log. Quote it in a question to the operator. */
    readonly requestId: string | undefined;
    constructor(code: string, message: string, { requestId, cause, }?: {
        readonly requestId?: string | undefined;
        readonly cause?: unknown;
    });
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
export declare class ProblemError extends PaymentRequestsError {
    readonly status: number;
    readonly title: string;
    /** The URL that explains the code. */
    readonly type: string | undefined;
    /** Every fault of the call; empty when no field is at fault. */
    readonly errors: readonly FieldFault[];
    /** The delay that the service asked for; the client has used up its retries. */
    readonly retryAfterSeconds: number | undefined;
    constructor(problem: ProblemMembers);
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
/** The token call refused the credentials: wrong, or those of the other environment. */
export declare class AccessTokenError extends PaymentRequestsError {
    readonly status: number;
    /** The environment that the username's prefix names: `sbx_` is the sandbox's. */
    readonly credentialEnvironment: CredentialEnvironment | undefined;
    /** The environment of the service, when its answer names the environment. */
    readonly serviceEnvironment: CredentialEnvironment | undefined;
    constructor(refusal: TokenRefusal);
}
/**
 * No answer arrived: the network failed (`NETWORK_ERROR`) or the time-out passed (`TIMEOUT`). The
 * service may or may not have done the work. The service does a creation that you repeat with an
 * equal idempotency key once.
 */
export declare class NoAnswerError extends PaymentRequestsError {
    constructor(code: 'NETWORK_ERROR' | 'TIMEOUT', message: string, cause: unknown);
}
/**
 * A value that you gave is invalid, so no call was sent: an option, an id, an amount
 * (`INVALID_AMOUNT`) or a signing secret.
 */
export declare class InvalidArgumentError extends PaymentRequestsError {
    constructor(message: string, code?: 'INVALID_ARGUMENT' | 'INVALID_AMOUNT');
}
/** Reads the environment off a credential's prefix; undefined for a credential of another form. */
export declare function environmentOf(credential: string): CredentialEnvironment | undefined;
