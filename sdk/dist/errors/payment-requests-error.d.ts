/**
 * The base class of every error of the SDK: `error instanceof PaymentRequestsError`. Only a call
 * that you abort rejects with another value: the reason of your signal.
 *
 * The package has a build for `import` and a build for `require`. `instanceof` recognises errors of
 * both, also in a program that loads both; `name` and `code` are equal in both.
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
