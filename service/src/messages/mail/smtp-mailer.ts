import { buffer } from 'node:stream/consumers';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailServer } from '#lib/mail/mail-server.ts';
import {
  MAILER_LIMITS,
  type Mail,
  type Mailer,
  type MailerLimits,
  MailFault,
} from '#lib/mail/mailer.ts';
import { plainDomain } from './mail-address.ts';
import { faultOf } from './mail-fault.ts';

export interface DkimKey {
  readonly selector: string;
  /** PEM */
  readonly privateKey: string;
}

export interface MailerOptions {
  readonly server: MailServer;
  /** The address in `From`. */
  readonly from: string;
  /** null: the mail server signs, or nobody does. */
  readonly dkim?: DkimKey | null;
  /** Shorter limits, for tests. */
  readonly limits?: Partial<MailerLimits>;
}

/**
 * The only mailer. It opens a connection for each e-mail, because an idle connection ends anyway,
 * and loads its package with the first e-mail, because most processes never send one.
 */
export function createSmtpMailer(options: MailerOptions): Mailer {
  const limits = { ...MAILER_LIMITS, ...options.limits };
  return {
    async send(mail, signal, check = async () => true) {
      const bytes = await compose(mail, options);
      const { openConnection } = await import('./checked-connection.ts');
      const exchange = new AbortController();
      let isOverdue = false;
      let checkFailure: unknown;
      let timer: NodeJS.Timeout | undefined;
      /** Gives what follows its own bound. */
      const bound = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          isOverdue = true;
          exchange.abort();
        }, limits.wholeTimeoutMs);
      };
      bound();
      const stop = () => exchange.abort(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      try {
        const open = openConnection(connectionOptions(options.server, limits), {
          auth: options.server.auth,
          signal: exchange.signal,
        });
        const { returnPath: from = options.from } = mail;
        const envelope = { from, to: plainDomain(mail.to), size: bytes.length };
        return await open.send(envelope, bytes, async () => {
          bound();
          try {
            const isWanted = await check();
            // A mail that the server may have taken is waited for: cut off, it would be sent twice.
            if (isWanted) signal.removeEventListener('abort', stop);
            return isWanted;
          } catch (error) {
            checkFailure = error;
            throw error;
          }
        });
      } catch (error) {
        if (checkFailure !== undefined) throw checkFailure;
        if (isOverdue) throw new MailFault('DEADLINE', 'TRANSIENT', error);
        throw faultOf(error);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

/**
 * Connects to a mail server and signs in, and sends nothing.
 *
 * @param limits shorter ones, for tests
 * @throws MailFault
 */
export async function verifyMailServer(
  server: MailServer,
  limits: MailerLimits = MAILER_LIMITS,
): Promise<void> {
  const { openConnection } = await import('./checked-connection.ts');
  const signal = AbortSignal.timeout(limits.wholeTimeoutMs);
  try {
    await openConnection(connectionOptions(server, limits), { auth: server.auth, signal }).verify();
  } catch (error) {
    if (signal.aborted) throw new MailFault('DEADLINE', 'TRANSIENT', error);
    throw faultOf(error);
  }
}

function connectionOptions(
  server: MailServer,
  limits: MailerLimits,
): ConstructorParameters<typeof SMTPConnection>[0] {
  return {
    host: server.host,
    port: server.port,
    secure: server.isTls,
    // A password, or a mail on a way that others share, never goes in the clear.
    requireTLS: server.needsStartTls,
    connectionTimeout: limits.connectionTimeoutMs,
    greetingTimeout: limits.greetingTimeoutMs,
    socketTimeout: limits.socketTimeoutMs,
  };
}

/** The mail as bytes, signed where the deployment has a key. */
async function compose(mail: Mail, { from, dkim }: MailerOptions): Promise<Buffer> {
  const bytes = await (await composed(mail, from)).build();
  if (!dkim) return bytes;
  const { default: DKIM } = await import('nodemailer/lib/dkim');
  const signer = new DKIM({
    domainName: domainOf(from),
    keySelector: dkim.selector,
    privateKey: dkim.privateKey,
  });
  return buffer(signer.sign(bytes));
}

/** The headers as a mail server would get them, without a signature. */
export async function headersOf(mail: Mail, from: string): Promise<string> {
  return (await composed(mail, from)).buildHeaders();
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);

async function composed(mail: Mail, from: string) {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const composer = new MailComposer({
    from: mail.fromName === undefined ? from : { name: mail.fromName, address: from },
    to: { name: '', address: mail.to },
    ...(mail.replyTo !== undefined && { replyTo: { name: '', address: mail.replyTo } }),
    subject: mail.subject,
    text: mail.text,
    ...(mail.html !== undefined && { html: mail.html }),
    attachments: (mail.images ?? []).map(({ name, png }) => ({
      filename: `${name}.png`,
      content: png,
      cid: name,
      contentType: 'image/png',
    })),
    messageId: `<${mail.id}@${domainOf(from)}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(mail.unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${mail.unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile();
}
