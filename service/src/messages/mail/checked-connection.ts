import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { passFailpoint } from '#lib/failpoints/failpoint.ts';
import type { MailServer } from '#lib/mail/mail-server.ts';
import type { SendResult } from '#lib/mail/mailer.ts';

type Options = ConstructorParameters<typeof SMTPConnection>[0];

export interface Envelope {
  readonly from: string;
  readonly to: string;
  readonly size: number;
}

export interface Login {
  readonly auth: MailServer['auth'];
  /** Ends the connection at once. */
  readonly signal: AbortSignal;
}

type Callback = (error: Error | null, ...more: unknown[]) => void;

/**
 * The part of nodemailer's connection that names a recipient. It is not of its public interface:
 * the mailer's tests fail where a version of the package has no such part.
 */
interface Internals {
  _sendRcpt(recipient: string, callback: Callback): void;
  _supportedExtensions: string[];
}

class Stopped extends Error {}

/** Goes on once the server knows the recipient. */
const named =
  (callback: Callback): Callback =>
  (...answer) => {
    passFailpoint('message-recipient-named');
    callback(...answer);
  };

/**
 * A connection that checks right before RCPT TO, so that nothing lies between the check and the
 * recipient but one command (messages §3). PIPELINING would send both at once, before the check.
 */
export function openConnection(options: Options, { auth, signal }: Login) {
  const connection = new SMTPConnection(options);
  const internals = connection as unknown as Internals;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  connection.on('error', failed.reject);
  connection.on('end', () => failed.reject(new Error('The connection was closed.')));
  const abort = () => {
    connection.close();
    failed.reject(signal.reason);
  };

  /** Runs a step of the connection; its failure is that of the connection, too. */
  function step(run: (callback: (error?: Error | null) => void) => void): Promise<void> {
    const done = Promise.withResolvers<void>();
    run((error) => (error ? done.reject(error) : done.resolve()));
    return Promise.race([done.promise, failed.promise]);
  }

  async function begin(): Promise<void> {
    await step((callback) => connection.connect(callback));
    if (auth) await step((callback) => connection.login({ credentials: auth }, callback));
  }

  async function exchange(
    envelope: Envelope,
    bytes: Buffer,
    check: () => Promise<boolean>,
  ): Promise<SendResult> {
    await begin();
    internals._supportedExtensions = internals._supportedExtensions.filter(
      (extension) => extension !== 'PIPELINING',
    );
    const nameRecipient = internals._sendRcpt.bind(connection);
    internals._sendRcpt = (recipient, callback) => {
      check().then(
        (isWanted) =>
          isWanted ? nameRecipient(recipient, named(callback)) : callback(new Stopped()),
        callback,
      );
    };
    try {
      await step((callback) => connection.send({ ...envelope }, bytes, callback));
      return 'SENT';
    } catch (error) {
      if (error instanceof Stopped) return 'STOPPED';
      throw error;
    }
  }

  /** Runs the exchange, and ends the connection behind it. */
  async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (signal.aborted) throw signal.reason;
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await work();
    } finally {
      signal.removeEventListener('abort', abort);
      connection.quit();
      connection.close();
    }
  }

  return {
    /** Connects and signs in, and names nobody. */
    verify: () => run(begin),
    send: (envelope: Envelope, bytes: Buffer, check: () => Promise<boolean>): Promise<SendResult> =>
      run(() => exchange(envelope, bytes, check)),
  };
}
