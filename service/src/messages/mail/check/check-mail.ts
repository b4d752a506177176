import type { MailServer } from '#lib/mail/mail-server.ts';
import { MailFault } from '#lib/mail/mailer.ts';
import { CERTIFICATE } from '#messages/mail/mail-fault.ts';
import { verifyMailServer } from '#messages/mail/smtp-mailer.ts';

/** @returns null: the mail server takes the service's connection and password; else the fault */
export async function findMailServerFault(server: MailServer): Promise<string | null> {
  try {
    await verifyMailServer(server);
    return null;
  } catch (error) {
    if (!(error instanceof MailFault)) throw error;
    return describeMailFault(error, `${server.host}:${server.port}`);
  }
}

/** A fault of the mail server in words that say who corrects it. */
function describeMailFault({ reason, kind }: MailFault, server: string): string {
  const [code = ''] = reason.split(' ');
  const rule = RULES.find(([pattern]) => pattern.test(code));
  const sentence = rule?.[1] ?? (kind === 'SERVER' ? REFUSED : BROKEN);
  return `${sentence.replaceAll('SERVER', server)} (${reason})`;
}

const REFUSED =
  'SERVER answers, and refuses this service: its operator has to permit the address of this ' +
  'machine.';
const BROKEN =
  'SERVER broke the connection off: its operator finds the reason in its log, at this time.';

/** By the code of the fault, the first that fits. */
const RULES: readonly (readonly [code: RegExp, sentence: string])[] = [
  [/^EAUTH$/, 'SERVER refuses the user or the password: correct MAIL_SMTP_URL.'],
  [
    /^(EDNS|ENOTFOUND|EAI_AGAIN)$/,
    'SERVER has no address: correct the host in MAIL_SMTP_URL, or the DNS of this machine.',
  ],
  [
    /^(ECONNECTION|ECONNREFUSED|ESOCKET|ETIMEDOUT|DEADLINE)$/,
    'SERVER does not answer: correct host and port in MAIL_SMTP_URL, or ask the operators of the ' +
      'firewall and of the mail server.',
  ],
  [
    /^ETLS$/,
    'SERVER offers no STARTTLS, and a password never goes in the clear: use smtps://, or ask ' +
      'the operator of the mail server.',
  ],
  [
    CERTIFICATE,
    'SERVER shows a certificate that does not fit: its operator renews it, or MAIL_SMTP_URL has ' +
      'to name the host of the certificate.',
  ],
];
