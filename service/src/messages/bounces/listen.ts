import { once } from 'node:events';
import type { LoopWork } from '#lib/loop.ts';
import { tokenOf } from '#messages/mail/return-path.ts';
import type { Log } from '#telemetry/log/log.ts';
import { applyReport, type BounceDeps, isExpected } from './apply-report.ts';
import { parseReport } from './parse-report.ts';
import { MOST_REPORT_BYTES } from './read-maildir.ts';

/** Mail servers wait and come again; a flood holds no more than this (messages §5). */
const MOST_CONNECTIONS = 20;
/** The whole connection: a report has some kilobytes. */
const LONGEST_CONNECTION_MS = 30_000;
/** A mail server that is cut off comes again. */
const CLOSE_MS = 1_000;
/** While another process has the port, it is tried again. */
const RETRY_MS = 10_000;

export interface ListenerDeps extends BounceDeps {
  readonly log: Log;
  /** `MAIL_BOUNCE_HOST` */
  readonly host: string;
  /** `MAIL_BOUNCE_PORT` */
  readonly port: number;
}

interface Refusal extends Error {
  responseCode: number;
}

function refusal(responseCode: number, text: string): Refusal {
  return Object.assign(new Error(text), { responseCode });
}

/**
 * Takes reports of mail servers over SMTP. The port is the lease: of the processes on a machine the
 * one that has the port listens, and after its end another one takes it.
 */
export function bounceListener(deps: ListenerDeps): LoopWork {
  let server: Awaited<ReturnType<typeof makeServer>> | null = null;
  return {
    name: 'listen-for-bounces',
    intervalMs: RETRY_MS,
    async run() {
      if (server) return false;
      const made = await makeServer(deps);
      // Exclusive: a cluster would share the port among its processes.
      made.server.listen({ host: deps.host, port: deps.port, exclusive: true });
      try {
        await once(made.server, 'listening');
        server = made;
      } catch (error) {
        if (!isTaken(error)) throw error;
      }
      return false;
    },
    over: () => new Promise<void>((resolve) => (server ? server.close(resolve) : resolve())),
  };
}

/** Another process has the port. */
const isTaken = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

async function makeServer(deps: ListenerDeps) {
  const { domain, log } = deps;
  const { SMTPServer } = await import('smtp-server');
  const made = new SMTPServer({
    name: domain,
    banner: 'reports about mails',
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    size: MOST_REPORT_BYTES,
    maxClients: MOST_CONNECTIONS,
    socketTimeout: LONGEST_CONNECTION_MS,
    closeTimeout: CLOSE_MS,
    onMailFrom({ address }, _session, answer) {
      // A report has no sender: nobody reports about a report (RFC 3464 §2).
      answer(address ? refusal(550, '5.7.1 Only reports are taken here') : null);
    },
    onRcptTo({ address }, { envelope }, answer) {
      if (envelope.rcptTo.length > 0) return answer(refusal(452, '4.5.3 One recipient at a time'));
      const token = tokenOf(address, domain);
      const known = token ? isExpected(deps, token) : Promise.resolve(false);
      known.then(
        (isKnown) => {
          if (!isKnown) deps.metrics.mailReported('UNKNOWN');
          answer(isKnown ? null : refusal(550, '5.1.1 No such recipient'));
        },
        () => answer(refusal(451, '4.3.0 Try again later')),
      );
    },
    onData(stream, { envelope }, answer) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= MOST_REPORT_BYTES) chunks.push(chunk);
      });
      stream.once('end', () => {
        if (stream.sizeExceeded) return answer(refusal(552, '5.3.4 Too long'));
        const token = tokenOf(envelope.rcptTo[0]?.address ?? '', domain);
        const report = parseReport(Buffer.concat(chunks).toString('latin1'));
        applyReport(deps, token, report).then(
          (outcome) => answer(outcome === 'LATER' ? refusal(451, '4.3.0 Try again later') : null),
          (err) => {
            log.error({ err }, 'report about a mail not applied');
            answer(refusal(451, '4.3.0 Try again later'));
          },
        );
      });
    },
  });
  made.server.on('connection', (socket) => {
    const timer = setTimeout(() => socket.destroy(), LONGEST_CONNECTION_MS);
    socket.once('close', () => clearTimeout(timer));
  });
  made.on('error', (err) => {
    if (!isTaken(err)) log.warn({ err }, 'connection of a mail server failed');
  });
  return made;
}
