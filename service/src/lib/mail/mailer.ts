/** A part of a mail that its HTML shows. */
export interface InlineImage {
  /** Its name in the HTML: `cid:<name>`. */
  readonly name: string;
  readonly png: Buffer;
}

export interface Mail {
  /** Equal in every attempt: a mail program may show a repetition once. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly images?: readonly InlineImage[];
  /** Shown before the address of the service. */
  readonly fromName?: string;
  readonly replyTo?: string;
  /** The address to which servers return the mail; left out: that of the sender of all mails. */
  readonly returnPath?: string;
  /** The address at which mail programs opt out for the recipient by one POST (RFC 8058). */
  readonly unsubscribeUrl?: string;
}

/** The end of an exchange with a mail server that has no fault. */
export type SendResult =
  /** The server has taken the mail. */
  | 'SENT'
  /** The last check refused. */
  | 'STOPPED';

export interface Mailer {
  /**
   * Sends one mail. Rejects with a `MailFault`.
   *
   * @param check runs right before the recipient is named to the server; false: the mail is not
   *   sent. After its call, the rest of the exchange has a bound of its own.
   */
  send(mail: Mail, signal: AbortSignal, check?: () => Promise<boolean>): Promise<SendResult>;
}

/** Whose fault it is that a mail was not taken, and so what becomes of it. */
export type MailFaultKind =
  /** The server refuses the recipient for ever. */
  | 'RECIPIENT'
  /** The server refuses the mail for ever: once it has all of it, or by a rule of the server. */
  | 'CONTENT'
  /** The server refuses the service itself: a setting is wrong, or the server is. */
  | 'SERVER'
  /** Anything that may pass: another attempt is worth it. */
  | 'TRANSIENT';

/** The server did not take an e-mail. */
export class MailFault extends Error {
  /** A code without any text of the server, which may name the recipient. */
  readonly reason: string;
  readonly kind: MailFaultKind;

  constructor(reason: string, kind: MailFaultKind, cause: unknown) {
    super(reason, { cause });
    this.reason = reason;
    this.kind = kind;
  }
}

export interface MailerLimits {
  readonly connectionTimeoutMs: number;
  readonly greetingTimeoutMs: number;
  readonly socketTimeoutMs: number;
  readonly wholeTimeoutMs: number;
}

/** Both parts of an exchange, before and after the recipient is named. */
export const LONGEST_EXCHANGE_MS = 80_000;

/** The service's own limits. */
export const MAILER_LIMITS: MailerLimits = {
  // A mail server in another region connects within a second; a lost packet doubles the wait.
  connectionTimeoutMs: 10_000,
  // Some servers wait on purpose before they greet, to deter senders of spam.
  greetingTimeoutMs: 15_000,
  // Silence between two answers. A server that scans a mail before it answers takes seconds.
  socketTimeoutMs: 20_000,
  // All before the recipient, and all after it: a server that sends a byte now and then never meets
  // the limits above. The second is a promise (messages §3).
  wholeTimeoutMs: 40_000,
};
