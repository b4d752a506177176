import type { CredentialEnvironment } from './credential-environment.ts';
import { PaymentRequestsError } from './payment-requests-error.ts';

/** The codes by which the token call refuses (RFC 6749); `invalid_answer`: it gave no token. */
export type AccessTokenErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'temporarily_unavailable'
  | 'invalid_answer';

export interface TokenRefusal {
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
  /** @internal */
  static override readonly errorName: string = 'AccessTokenError';
  declare readonly code: AccessTokenErrorCode;
  readonly status: number;
  /** The environment that the username's prefix names: `sbx_` is the sandbox's. */
  readonly credentialEnvironment: CredentialEnvironment | undefined;
  /** The environment of the service, when its answer names the environment. */
  readonly serviceEnvironment: CredentialEnvironment | undefined;

  constructor(refusal: TokenRefusal) {
    const [, named] = NAMED_ENVIRONMENT.exec(refusal.description ?? '') ?? [];
    const serviceEnvironment = named as CredentialEnvironment | undefined;
    super(refusal.code, refusalSentence(refusal, serviceEnvironment), refusal);
    this.status = refusal.status;
    this.credentialEnvironment = refusal.credentialEnvironment;
    this.serviceEnvironment = serviceEnvironment;
  }
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
