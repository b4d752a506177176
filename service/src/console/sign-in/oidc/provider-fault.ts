/** Why an identity provider could not sign a person in; each has its sentence on a page. */
export type ProviderFaultReason =
  /** No connection, or an answer such as 503. */
  | 'UNREACHABLE'
  /** No whole answer within the bound. */
  | 'SILENT'
  /** The provider, or the person at the provider, refused. */
  | 'REFUSED'
  /** An answer that breaks OpenID Connect: another issuer, nonce, signature or audience. */
  | 'INVALID_ANSWER';

/** The identity provider gave no good answer. The message names no value of the answer. */
export class ProviderFault extends Error {
  readonly reason: ProviderFaultReason;

  constructor(reason: ProviderFaultReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProviderFault';
    this.reason = reason;
  }
}
