import type { Environment } from '#lib/environment.ts';
import { SCOPES } from '#merchants/scopes.ts';

/** The statuses of the errors of RFC 6749 §5.2 that the token call answers. */
const ERROR_STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  unsupported_grant_type: 400,
  invalid_scope: 400,
} as const;
export type TokenErrorCode = keyof typeof ERROR_STATUS;

interface TokenErrorKind {
  readonly error: TokenErrorCode;
  /** For the developer of a client: fixed ASCII without quotes and backslashes (RFC 6749 §5.2). */
  readonly description: string;
  /** Left out: the status of the error. */
  readonly status?: number;
}

const FORM = 'a body of the type application/x-www-form-urlencoded';

/** Every refusal of the token call with its text. Texts hold nothing of the call. */
export const TOKEN_FAULTS = {
  NOT_A_FORM: {
    error: 'invalid_request',
    description: `Send the fields in ${FORM}, not as JSON and not in the address.`,
  },
  TOO_LARGE: {
    error: 'invalid_request',
    description: 'The body is larger than 8 KiB.',
    status: 413,
  },
  TOO_MANY_FIELDS: {
    error: 'invalid_request',
    description: 'The body has more than 200 fields.',
    status: 413,
  },
  FIELD_REPEATED: {
    error: 'invalid_request',
    description: 'A field was sent more than once. Send each field once.',
  },
  AUTHORIZATION_REPEATED: {
    error: 'invalid_request',
    description: 'Send one Authorization header.',
  },
  CREDENTIALS_TWICE: {
    error: 'invalid_request',
    description:
      'Send the credentials in the Authorization header or as client_id and client_secret in ' +
      'the body, not in both.',
  },
  GRANT_TYPE_MISSING: {
    error: 'invalid_request',
    description: `Send grant_type=client_credentials in ${FORM}.`,
  },
  GRANT_TYPE_UNSUPPORTED: {
    error: 'unsupported_grant_type',
    description: 'The only grant_type is client_credentials.',
  },
  SCOPE_UNKNOWN: {
    error: 'invalid_scope',
    description: `A scope is unknown. Send any of these, one space between: ${SCOPES.join(', ')}.`,
  },
  SCOPE_NOT_HELD: {
    error: 'invalid_scope',
    description: 'These credentials do not have every scope that was requested.',
  },
} as const satisfies Readonly<Record<string, TokenErrorKind>>;
export type TokenFault = keyof typeof TOKEN_FAULTS;

/** Every cause has this text, so that the text tells nothing about a username (contract §3). */
function clientRefused(environment: Environment): TokenErrorKind {
  const description =
    `No valid username and password of the ${environment} environment were sent. Send them by ` +
    'HTTP Basic (Authorization: Basic), or as client_id and client_secret in the body.';
  return { error: 'invalid_client', description };
}

/** @returns the status and the body of a refusal (RFC 6749 §5.2) */
export function tokenErrorAnswer(fault: TokenFault | 'CLIENT_REFUSED', environment: Environment) {
  const kind: TokenErrorKind =
    fault === 'CLIENT_REFUSED' ? clientRefused(environment) : TOKEN_FAULTS[fault];
  const { error, description, status = ERROR_STATUS[error] } = kind;
  return { status, body: { error, error_description: description } };
}
