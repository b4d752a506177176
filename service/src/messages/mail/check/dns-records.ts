import { createPublicKey } from 'node:crypto';
import type { DkimKey } from '#messages/mail/smtp-mailer.ts';

/** A line for the zone of the sender's domain. */
export interface DnsRecord {
  readonly purpose: 'SPF' | 'DKIM' | 'DMARC' | 'MX';
  readonly name: string;
  /** The text of the TXT record; null: `note` says what stands there. */
  readonly text: string | null;
  readonly note: string;
}

export interface SenderSettings {
  /** `MAIL_FROM` */
  readonly from: string;
  /** `MAIL_BOUNCE_DOMAIN`, the envelope sender of messages to payers; null: `MAIL_FROM` is. */
  readonly bounceDomain: string | null;
  /** The host of `MAIL_SMTP_URL`. */
  readonly host: string;
  readonly isLoopback: boolean;
  readonly dkim: DkimKey | null;
}

/** The lines by which recipients' servers recognise the service's mails (messages §5). */
export function dnsRecordsOf(settings: SenderSettings): DnsRecord[] {
  const { from, bounceDomain, host, isLoopback, dkim } = settings;
  const domain = from.slice(from.lastIndexOf('@') + 1).toLowerCase();
  const spf = (name: string): DnsRecord => ({
    purpose: 'SPF',
    name,
    text: isLoopback ? null : `v=spf1 a:${host} -all`,
    note: isLoopback
      ? 'v=spf1 ip4:ADDRESS -all, with the address from which this machine’s mail server sends'
      : `right where ${host} sends from its own address; a provider gives its own include:`,
  });
  return [
    // Recipients ask for the domain of the envelope's sender (RFC 7208 §2.4).
    ...[...new Set([domain, bounceDomain ?? domain])].map(spf),
    {
      purpose: 'DKIM',
      name: `${dkim?.selector ?? 'SELECTOR'}._domainkey.${domain}`,
      text: dkim && `v=DKIM1; k=rsa; p=${publicKeyOf(dkim)}`,
      note: dkim
        ? 'the public half of MAIL_DKIM_KEY'
        : 'MAIL_DKIM_KEY is not set: the mail server signs, and its operator gives this line',
    },
    {
      purpose: 'DMARC',
      name: `_dmarc.${domain}`,
      text: `v=DMARC1; p=quarantine; rua=mailto:dmarc@${domain}`,
      note: 'begin with p=none, read the reports for two weeks, then publish this line',
    },
    ...(bounceDomain === null
      ? []
      : [{ purpose: 'MX', name: bounceDomain, text: null, note: RETURNS } as const]),
  ];
}

const RETURNS =
  'the host that takes mails about mails that come back, for MAIL_BOUNCE_PORT or MAIL_BOUNCE_DIR';

function publicKeyOf({ privateKey }: DkimKey): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
}

/** A string of a TXT record holds 255 bytes (RFC 1035 §3.3.14). */
const LONGEST_STRING = 255;

/** The record as a line of a zone file. */
export function zoneLine({ purpose, name, text }: DnsRecord): string {
  if (text === null) return `${name}. IN ${purpose === 'MX' ? 'MX' : 'TXT'}`;
  const parts = text.match(new RegExp(`.{1,${LONGEST_STRING}}`, 'g')) ?? [];
  return `${name}. IN TXT ${parts.map((part) => `"${part}"`).join(' ')}`;
}
