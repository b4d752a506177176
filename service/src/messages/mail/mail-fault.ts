import { MailFault, type MailFaultKind } from '#lib/mail/mailer.ts';

interface SmtpError {
  readonly code?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
  /** The code of the system or of TLS beneath. */
  readonly originalCode?: unknown;
  readonly command?: unknown;
}

const PERMANENT = 500;
/** The enhanced code behind the code of an answer (RFC 3463); 5.7 is a rule of the server. */
const ENHANCED = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/;
/** The codes of a certificate that does not fit, in Node.js and in OpenSSL. */
export const CERTIFICATE = /CERT|^UNABLE_TO_|HOSTNAME_MISMATCH/;

/** The fault of a failed exchange. */
export function faultOf(error: unknown): MailFault {
  const { code, responseCode, response, originalCode, command } = error as SmtpError;
  if (typeof code !== 'string') return new MailFault('CONNECTION', 'TRANSIENT', error);
  // The package reports a certificate as it reports a lost connection.
  if (typeof originalCode === 'string' && CERTIFICATE.test(originalCode)) {
    return new MailFault(originalCode, 'SERVER', error);
  }
  const [, enhanced = ''] = ENHANCED.exec(`${response}`) ?? [];
  const reason = [code, responseCode, enhanced].filter(Boolean).join(' ');
  const isRule = enhanced.startsWith('5.7.');
  return new MailFault(reason, kindOf(code, Number(responseCode), command, isRule), error);
}

/**
 * Only a 5xx to RCPT TO, or to DATA and its end, ends a message (messages §3): many servers refuse
 * the recipient or the sender's right to write to it at DATA. A relay that refuses each recipient
 * by a rule is like one that refuses each mail.
 */
function kindOf(
  code: string,
  responseCode: number,
  command: unknown,
  isRule: boolean,
): MailFaultKind {
  const isPermanent = responseCode >= PERMANENT;
  const isOfMail = command === 'DATA' || (command === 'RCPT TO' && isRule);
  if (isOfMail) return isPermanent ? 'CONTENT' : 'TRANSIENT';
  if (command === 'RCPT TO') return isPermanent ? 'RECIPIENT' : 'TRANSIENT';
  // The package itself refuses an address that SMTP cannot carry.
  if (code === 'EENVELOPE' && command === 'API') return 'RECIPIENT';
  // A server without STARTTLS is a matter of the setting; one that answers 4xx has it later.
  const isSetting = code === 'ETLS' || code === 'EAUTH';
  const isPutOff = responseCode < PERMANENT;
  return isPermanent || (isSetting && !isPutOff) ? 'SERVER' : 'TRANSIENT';
}
