/** The outcomes of an attempt. The list is closed; each has the text that it tells a merchant. */
export const DELIVERY_OUTCOMES = {
  SUCCEEDED: 'The listener answered 2xx.',
  REDIRECTED: 'The listener answered 3xx; redirects are never followed.',
  GONE: 'The listener answered 410: it wants nothing more at this URL.',
  REFUSED_BY_LISTENER: 'The listener answered another status than 2xx.',
  TIMED_OUT: 'The exchange was not over within 15 s.',
  CONNECT_TIMED_OUT: 'No connection with TLS was made within 5 s.',
  NAME_TIMED_OUT: 'The name was not resolved within 2 s.',
  NAME_NOT_RESOLVED: 'The name has no address, or its name servers failed.',
  FORBIDDEN_URL: 'The URL is not one that webhooks may go to (scheme, port, parts).',
  FORBIDDEN_ADDRESS: 'The name leads to an address that is not public.',
  CONNECTION_REFUSED: 'Nothing listens at the address and port.',
  UNREACHABLE: 'There is no way to the address.',
  CONNECTION_LOST: 'The connection ended before the answer was whole.',
  CERTIFICATE_INVALID: 'The certificate is not valid for the name, or not trusted, or expired.',
  TLS_FAILED: 'No TLS connection of version 1.2 or later could be agreed.',
  MALFORMED_ANSWER: 'The answer was not HTTP/1.1.',
  ANSWER_TOO_EARLY: 'The listener sent bytes before the request: they are no answer to it.',
  ANSWER_TOO_LARGE: 'The head of the answer, or what frames its body, was too large.',
  UNKNOWN_FAILURE: 'Something else went wrong between the service and the listener.',
} as const;

export type DeliveryOutcome = keyof typeof DELIVERY_OUTCOMES;

/** Thrown on the way to a listener where the outcome is already known. */
export class DeliveryFailure extends Error {
  readonly outcome: DeliveryOutcome;

  constructor(outcome: DeliveryOutcome, cause?: unknown) {
    super(DELIVERY_OUTCOMES[outcome], { cause });
    this.name = 'DeliveryFailure';
    this.outcome = outcome;
  }
}

/** The outcome that a status says by itself. */
export function outcomeOfStatus(status: number): DeliveryOutcome {
  if (status >= 200 && status < 300) return 'SUCCEEDED';
  if (status >= 300 && status < 400) return 'REDIRECTED';
  return status === 410 ? 'GONE' : 'REFUSED_BY_LISTENER';
}

const OUTCOME_OF_CODE: Readonly<Record<string, DeliveryOutcome>> = {
  ECONNREFUSED: 'CONNECTION_REFUSED',
  EHOSTUNREACH: 'UNREACHABLE',
  ENETUNREACH: 'UNREACHABLE',
  EADDRNOTAVAIL: 'UNREACHABLE',
  ETIMEDOUT: 'CONNECT_TIMED_OUT',
  ECONNRESET: 'CONNECTION_LOST',
  ECONNABORTED: 'CONNECTION_LOST',
  EPIPE: 'CONNECTION_LOST',
  ERR_STREAM_PREMATURE_CLOSE: 'CONNECTION_LOST',
  ERR_TLS_CERT_ALTNAME_INVALID: 'CERTIFICATE_INVALID',
  EPROTO: 'TLS_FAILED',
};

/** OpenSSL's names of the faults of a certificate: X509_V_ERR_… without the prefix. */
const CERTIFICATE_CODE =
  /CERT|^UNABLE_TO_|ISSUER|HOSTNAME_MISMATCH|^INVALID_(CA|PURPOSE)|^PATH_LENGTH/;

/** Maps what node:tls and node:net throw to the closed list. */
export function outcomeOfError(error: unknown): DeliveryOutcome {
  if (error instanceof DeliveryFailure) return error.outcome;
  if (error instanceof AggregateError && error.errors.length > 0) {
    return outcomeOfError(error.errors.at(-1));
  }
  const code = codeOf(error);
  const known = OUTCOME_OF_CODE[code];
  if (known !== undefined) return known;
  if (code.startsWith('ERR_SSL_')) return 'TLS_FAILED';
  return CERTIFICATE_CODE.test(code) ? 'CERTIFICATE_INVALID' : 'UNKNOWN_FAILURE';
}

/** An error's code as the library gave it; empty without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
