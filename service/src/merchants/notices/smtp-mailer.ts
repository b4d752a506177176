import type { MailServer } from '#lib/mail/mail-server.ts';
import { memoizeAsync } from '#lib/memoize-async.ts';
import type { MailText } from './render-mail.ts';

/** A mail server in another region connects within a second; a lost packet doubles the wait. */
const CONNECTION_TIMEOUT_MS = 10_000;
/** Some servers wait on purpose before they greet, to deter senders of spam. */
const GREETING_TIMEOUT_MS = 15_000;
/** Silence between two answers. A server that scans a mail before it answers takes seconds. */
const SOCKET_TIMEOUT_MS = 20_000;
/** Everything: a server that sends a byte now and then never meets the limits above. */
const WHOLE_TIMEOUT_MS = 40_000;

export interface Mail extends MailText {
  /** Equal in every attempt: a mail program may show a repetition once. */
  readonly id: string;
  readonly to: string;
}

export interface Mailer {
  /** Sends one e-mail. Rejects with a `MailFault`. */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
}

/** The server did not take an e-mail. */
export class MailFault extends Error {
  /** A code without any text of the server, which may name the recipient. */
  readonly reason: string;
  /** The server refuses the recipient for ever. */
  readonly isPermanent: boolean;

  constructor(reason: string, isPermanent: boolean, cause: unknown) {
    super(reason, { cause });
    this.reason = reason;
    this.isPermanent = isPermanent;
  }
}

export interface MailerOptions {
  readonly server: MailServer;
  /** The address in `From`. */
  readonly from: string;
  /** Shorter limits, for tests. */
  readonly limits?: Partial<MailerLimits>;
}

export interface MailerLimits {
  readonly connectionTimeoutMs: number;
  readonly greetingTimeoutMs: number;
  readonly socketTimeoutMs: number;
  readonly wholeTimeoutMs: number;
}

/** The service's own limits. */
export const MAILER_LIMITS: MailerLimits = {
  connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
  greetingTimeoutMs: GREETING_TIMEOUT_MS,
  socketTimeoutMs: SOCKET_TIMEOUT_MS,
  wholeTimeoutMs: WHOLE_TIMEOUT_MS,
};

/** Opens a connection for each e-mail: notices are rare, and an idle connection ends anyway. */
export function createSmtpMailer({ server, from, limits }: MailerOptions): Mailer {
  const { wholeTimeoutMs, ...waits } = { ...MAILER_LIMITS, ...limits };
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '');
  const options = {
    host: server.host,
    port: server.port,
    secure: server.isTls,
    // A password, or a mail on a way that others share, never goes in the clear.
    requireTLS: server.needsStartTls,
    ...(server.auth && { auth: server.auth }),
    connectionTimeout: waits.connectionTimeoutMs,
    greetingTimeout: waits.greetingTimeoutMs,
    socketTimeout: waits.socketTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  // Most processes never send an e-mail.
  const open = memoizeAsync(async () => (await import('nodemailer')).createTransport(options));
  return {
    async send({ id, to, subject, text }, signal) {
      const whole = AbortSignal.timeout(wholeTimeoutMs);
      try {
        const transport = await open();
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.any([signal, whole]),
        });
      } catch (error) {
        throw faultOf(error, whole.aborted);
      }
    },
  };
}

function faultOf(error: unknown, isOverdue: boolean): MailFault {
  if (isOverdue) return new MailFault('DEADLINE', false, error);
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const reason = [code ?? 'UNKNOWN', responseCode].filter(Boolean).join(' ');
  // Other 5xx answers, as to a login, end when the operator corrects a setting.
  const isPermanent = code === 'EENVELOPE' && Number(responseCode) >= 500;
  return new MailFault(reason, isPermanent, error);
}
