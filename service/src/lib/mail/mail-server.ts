/** A mail server to which notices are handed. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise the connection may change to TLS (STARTTLS). */
  readonly isTls: boolean;
  /** The server must offer STARTTLS: a password, or a payer's address, would go in the clear. */
  readonly needsStartTls: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
}
