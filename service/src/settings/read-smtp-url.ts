import { createPrivateKey } from 'node:crypto';
import type { MailServer } from '#lib/mail/mail-server.ts';
import { isLoopback, withoutBrackets } from './read-addresses.ts';

const FORM = 'must be smtps://user:password@host or smtp://host:587';
/** Submission with STARTTLS (RFC 6409), and with TLS at once (RFC 8314). */
const DEFAULT_PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

/** The parameter by which an operator does without STARTTLS, as nodemailer has it. */
const PARAMETERS: Readonly<Record<string, boolean>> = {
  '?requireTLS=true': true,
  '?requireTLS=false': false,
};

/**
 * Reads the address of a mail server; null: none. Elsewhere than on this machine STARTTLS is
 * required: someone on the way could take it out of the server's answer, and read the mails.
 */
export function readSmtpUrl(text: string): MailServer | null {
  if (text === '') return null;
  const url = URL.parse(text);
  const scheme = url?.protocol;
  if (!url || (scheme !== 'smtp:' && scheme !== 'smtps:') || url.hostname === '') {
    throw new Error(FORM);
  }
  const isTls = scheme === 'smtps:';
  const required = isTls ? undefined : PARAMETERS[url.search];
  const isKnown = url.search === '' || required !== undefined;
  if (!['', '/'].includes(url.pathname) || !isKnown || url.hash !== '') {
    throw new Error(`${FORM}, without a path; smtp:// takes ?requireTLS=false alone`);
  }
  const auth = authOf(url);
  const isElsewhere = !isLoopback(url.hostname);
  if (isElsewhere && auth !== null && required === false) {
    throw new Error('must not have ?requireTLS=false with a password, which would go in the clear');
  }
  return {
    host: withoutBrackets(url.hostname),
    port: url.port === '' ? DEFAULT_PORTS[scheme] : Number(url.port),
    isTls,
    needsStartTls: !isTls && (required ?? isElsewhere),
    auth,
  };
}

function authOf({ username, password }: URL): MailServer['auth'] {
  if ((username === '') !== (password === '')) {
    throw new Error(`${FORM}: give both a user and a password, or neither`);
  }
  if (username === '') return null;
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    throw new Error('has codes in its user or password that are not UTF-8');
  }
}

const SENDER = /^[^\s@<>,;"]+@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;

/** Reads the sender of notices; null: none. */
export function readMailSender(text: string): string | null {
  if (text === '') return null;
  if (text.length > 254 || !SENDER.test(text)) {
    throw new Error('must be one e-mail address, as in notices@pay.example');
  }
  return text;
}

/** Reads a domain of the DNS, in lower case. */
export function readDomain(text: string): string {
  if (text.length <= 200 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text))
    return text.toLowerCase();
  throw new Error('must be a domain, as in bounces.pay.example');
}

/** Reads a private key for DKIM; with a key of another kind nodemailer signs nothing. */
export function readDkimKey(text: string): string {
  const form = 'must be a private RSA key in PEM';
  try {
    if (createPrivateKey(text).asymmetricKeyType === 'rsa') return text;
  } catch {
    throw new Error(form);
  }
  throw new Error(form);
}

/** Reads the name of a key in the DNS. */
export function readSelector(text: string): string {
  if (text.length <= 63 && /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(text)) return text;
  throw new Error('must be a name in the DNS, as in mail2026');
}

/** Reads addresses that get real mail, in lower case. */
export function readRecipients(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim().toLowerCase());
  return parts.filter(Boolean).map((part) => readMailSender(part) ?? part);
}
