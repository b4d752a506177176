import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

/** A mail that came to the local mail server. */
export interface ReceivedMail {
  /** Counts from 1 since the start. */
  readonly number: number;
  readonly receivedAt: Date;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** null: the mail has text alone. Images of the mail are inside as `data:`. */
  readonly html: string | null;
  /** Each header as it came, in its order. */
  readonly headers: readonly string[];
}

/** The mails that came last, newest first. */
export interface Inbox {
  list(): readonly ReceivedMail[];
  find(number: number): ReceivedMail | undefined;
}

export interface LocalInbox extends Inbox {
  readonly port: number;
  stop(): Promise<void>;
}

/** A developer looks at the last mails; a bigger list is not read. */
const MOST_MAILS = 200;
/** A mail with a logo takes 100 kB; 200 of the largest take 100 MB of memory. */
const LARGEST_MAIL_BYTES = 524_288;
/** The service sends 8 mails at a time. */
const MOST_CONNECTIONS = 20;
/** The service names one recipient a mail. */
const MOST_RECIPIENTS = 5;
/** Nothing on this machine is silent for so long. */
const SILENCE_MS = 10_000;
const CLOSE_MS = 1_000;

/**
 * A mail server for `npm start`: it takes mails to anybody, keeps the last ones in memory, and
 * sends nothing. It listens on loopback.
 */
export async function startInbox(port: number): Promise<LocalInbox> {
  const mails: ReceivedMail[] = [];
  let number = 0;
  const server = new SMTPServer({
    banner: 'local inbox',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: LARGEST_MAIL_BYTES,
    maxClients: MOST_CONNECTIONS,
    socketTimeout: SILENCE_MS,
    closeTimeout: CLOSE_MS,
    onRcptTo(_, { envelope }, callback) {
      if (envelope.rcptTo.length < MOST_RECIPIENTS) return callback();
      callback(refusal(452, 'too many recipients'));
    },
    async onData(stream, { envelope }, callback) {
      try {
        const bytes = await readMail(stream);
        if (bytes === null) return callback(refusal(552, 'the mail is too large'));
        const recipients = envelope.rcptTo.map(({ address }) => address);
        number += 1;
        mails.unshift({ number, receivedAt: new Date(), ...(await parse(bytes, recipients)) });
        mails.length = Math.min(mails.length, MOST_MAILS);
        callback();
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  // A connection that breaks concerns its sender alone.
  server.on('error', (error) => console.error(`The local mail server: ${error.message}`));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    list: () => mails,
    find: (wanted) => mails.find((mail) => mail.number === wanted),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** @returns null for a mail above the bound, which is read to its end without being kept */
async function readMail(stream: SMTPServerDataStream): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size <= LARGEST_MAIL_BYTES) chunks.push(chunk);
  }
  return size > LARGEST_MAIL_BYTES ? null : Buffer.concat(chunks);
}

async function parse(bytes: Buffer, recipients: readonly string[]) {
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'base64' });
  let html = mail.html ?? null;
  for (const { contentId, mimeType, content } of mail.attachments) {
    const name = contentId?.replace(/^<|>$/g, '');
    if (name) html = html?.replaceAll(`cid:${name}`, `data:${mimeType};base64,${content}`) ?? null;
  }
  const from = mail.from;
  return {
    from: from ? [from.name, from.address && `<${from.address}>`].filter(Boolean).join(' ') : '',
    to: recipients.join(', '),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html,
    headers: mail.headerLines.map(({ line }) => line),
  };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
