import type { CredentialEnvironment } from './credential-environment.js';
import { PaymentRequestsError } from './payment-requests-error.js';
/** The codes by which the token call refuses (RFC 6749); `invalid_answer`: it gave no token. */
export type AccessTokenErrorCode = 'invalid_request' | 'invalid_client' | 'unauthorized_client' | 'unsupported_grant_type' | 'invalid_scope' | 'temporarily_unavailable' | 'invalid_answer';
export interface TokenRefusal {
    readonly code: string;
    readonly status: number;
    /** The `error_description` of the answer. */
    readonly description?: string | undefined;
    readonly requestId?: string | undefined;
    readonly credentialEnvironment?: CredentialEnvironment | undefined;
}
/** The token call refused the credentials: wrong, or those of the other environment. */
export declare class AccessTokenError extends PaymentRequestsError {
    readonly code: AccessTokenErrorCode;
    readonly status: number;
    /** The environment that the username's prefix names: `sbx_` is the sandbox's. */
    readonly credentialEnvironment: CredentialEnvironment | undefined;
    /** The environment of the service, when its answer names the environment. */
    readonly serviceEnvironment: CredentialEnvironment | undefined;
    constructor(refusal: TokenRefusal);
}
