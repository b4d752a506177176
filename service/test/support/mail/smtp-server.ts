import { createServer, type Server, type Socket } from 'node:net';

/** A mail as it came over the wire. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Head and body, decoded from quoted-printable. */
  readonly data: string;
}

export interface SmtpBehaviour {
  /** Accepts the connection and never says a word. */
  readonly isSilent?: boolean;
  /** Answers EHLO with a line now and then, for ever. */
  readonly drips?: boolean;
  /** Silent once the mail has come. */
  readonly isSilentAfterData?: boolean;
  /** Takes the mail, and breaks the connection in the place of an answer. */
  readonly breaksAfterData?: boolean;
  /** Runs before the answer to each command, which waits for it. */
  readonly before?: (command: string) => Promise<void>;
  /** Never answers this command. */
  readonly isSilentAt?: string;
  /** Answers EHLO without an end, as fast as the connection takes it, in lines or in one. */
  readonly floods?: 'LINES' | 'ONE_LINE';
  /** The answers to commands in the place of the usual ones, as in `{ RCPT: '550 no such user' }`. */
  readonly answers?: Readonly<Record<string, string>>;
}

export interface SmtpServer {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Connections that are open now. */
  readonly open: () => number;
  /** Connections so far. */
  readonly connections: () => number;
  /** Changes what the next connections meet. */
  behave(behaviour: SmtpBehaviour): void;
  /** Breaks all connections. */
  drop(): void;
  close(): Promise<void>;
}

const USUAL: Readonly<Record<string, string>> = {
  EHLO: '250 mail.test',
  HELO: '250 mail.test',
  MAIL: '250 sender ok',
  RCPT: '250 recipient ok',
  DATA: '354 go on',
  RSET: '250 reset',
  QUIT: '221 bye',
};
const DRIP_MS = 20;

/** A small mail server on loopback that speaks plain SMTP (RFC 5321). */
export async function startSmtpServer(first: SmtpBehaviour = {}): Promise<SmtpServer> {
  let behaviour = first;
  let connections = 0;
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    talk(socket, behaviour, mails);
  });
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${portOf(server)}`,
    mails,
    open: () => sockets.size,
    connections: () => connections,
    behave(next) {
      behaviour = next;
    },
    drop,
    async close() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function talk(socket: Socket, behaviour: SmtpBehaviour, mails: ReceivedMail[]): void {
  if (behaviour.isSilent) return;
  let from = '';
  let to: string[] = [];
  let data: string | null = null;
  let text = '';
  socket.write('220 mail.test ready\r\n');
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (;;) {
      if (data !== null) {
        const end = text.indexOf('\r\n.\r\n');
        if (end < 0) return;
        mails.push({ from, to, data: decode(text.slice(0, end)) });
        text = text.slice(end + 5);
        data = null;
        if (behaviour.breaksAfterData) socket.destroy();
        else if (!behaviour.isSilentAfterData) {
          socket.write(`${behaviour.answers?.['.'] ?? '250 taken'}\r\n`);
        }
        continue;
      }
      const end = text.indexOf('\r\n');
      if (end < 0) return;
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      const command = line.slice(0, 4).toUpperCase();
      if (command === 'EHLO' && behaviour.drips) {
        const timer = setInterval(() => socket.write('250-wait\r\n'), DRIP_MS);
        socket.once('close', () => clearInterval(timer));
        return;
      }
      if (command === behaviour.isSilentAt) return;
      if (command === 'EHLO' && behaviour.floods) return flood(socket, behaviour.floods);
      const answer = behaviour.answers?.[command] ?? USUAL[command] ?? '500 unknown';
      if (command === 'MAIL') from = addressOf(line);
      if (command === 'RCPT') to = [...to, addressOf(line)];
      if (command === 'DATA' && answer.startsWith('354')) data = '';
      if (behaviour.before) {
        void behaviour.before(command).then(() => socket.write(`${answer}\r\n`));
        continue;
      }
      socket.write(`${answer}\r\n`);
      if (command === 'QUIT') socket.end();
    }
  });
}

function flood(socket: Socket, kind: 'LINES' | 'ONE_LINE'): void {
  const piece = kind === 'LINES' ? '250-wait\r\n'.repeat(1_000) : '250-'.padEnd(10_000, 'x');
  const write = () => {
    while (socket.writable && socket.write(piece));
    if (socket.writable) socket.once('drain', write);
  };
  write();
}

function addressOf(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}

function decode(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}
