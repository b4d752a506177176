import { createHash } from 'node:crypto';
import type { Client, ParsedKey, SFTPWrapper } from 'ssh2';
import type { BankConnection } from '#lib/bank/bank-connection.ts';
import { faultOfStart, SftpFault } from './sftp-fault.ts';
import { LONGEST_ANSWER_MS, type Session, sessionOf } from './sftp-session.ts';

/** RSA keys below it are no longer accepted by banks (BSI TR-02102). */
const LEAST_RSA_BITS = 3_072;

export interface SessionOptions {
  /** Ends the connection, and with it each call that waits for the server. */
  readonly signal?: AbortSignal;
  /** Hears the fingerprint that the server shows, also of a refused key. */
  readonly onHostKey?: (fingerprint: string) => void;
}

export const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/**
 * Connects and signs in. Nothing is sent to a server with another key than the configured ones.
 *
 * @throws SftpFault
 */
export async function openSession(
  connection: BankConnection,
  { signal, onHostKey }: SessionOptions = {},
): Promise<Session> {
  const { default: ssh2 } = await import('ssh2');
  const { host, port, user: username, key, passphrase, password, hostKeys } = connection;
  if (key !== null) checkKey(ssh2.utils.parseKey(key, passphrase ?? undefined));
  const client = new ssh2.Client();
  let isTrusted = true;
  let isReady = false;
  /** A line that breaks behind the sign-in ends the round: no file is at fault. */
  const faultOf = (error: Error & { level?: string; code?: string }) =>
    isReady ? new SftpFault('CLOSED', 'connect') : faultOfStart(error);
  const broken = new Promise<never>((_, reject) => {
    client.on('error', (error: Error & { level?: string; code?: string }) =>
      reject(isTrusted ? faultOf(error) : new SftpFault('HOST_KEY', 'connect')),
    );
    client.on('close', () => reject(new SftpFault(isTrusted ? 'CLOSED' : 'HOST_KEY', 'connect')));
  });
  broken.catch(() => {});
  const ready = new Promise<void>((resolve) => void client.on('ready', () => resolve()));
  client.connect({
    ...{ host, port, username, readyTimeout: LONGEST_ANSWER_MS },
    ...(key !== null && { privateKey: key }),
    ...(passphrase !== null && { passphrase }),
    ...(password !== null && { password }),
    hostVerifier(hostKey: Buffer) {
      const shown = fingerprintOf(hostKey);
      onHostKey?.(shown);
      isTrusted = hostKeys.includes(shown);
      return isTrusted;
    },
  });
  signal?.addEventListener('abort', () => client.destroy());
  // Requests are small, and each waits for its answer: 40 ms without it.
  client.setNoDelay(true);
  try {
    await Promise.race([ready, broken]);
    isReady = true;
    return sessionOf({ client, sftp: await openSftp(client, broken), broken });
  } catch (error) {
    client.destroy();
    throw error;
  }
}

function checkKey(parsed: ParsedKey | ParsedKey[] | Error): void {
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (key instanceof Error && /passphrase/i.test(key.message)) {
    throw new SftpFault('PASSPHRASE', 'sign in');
  }
  if (!key || key instanceof Error || !key.isPrivateKey()) throw new SftpFault('KEY', 'sign in');
  // The public key is its name and its numbers; the modulus is all but some 20 bytes of it.
  const bits = (key.getPublicSSH().length - 22) * 8;
  if (key.type === 'ssh-rsa' && bits < LEAST_RSA_BITS) throw new SftpFault('KEY', 'sign in');
  if (key.type === 'ssh-dss') throw new SftpFault('KEY', 'sign in');
}

async function openSftp(client: Client, broken: Promise<never>) {
  const opened = new Promise<SFTPWrapper>((resolve, reject) => {
    const timer = setTimeout(() => reject(new SftpFault('SILENT', 'sign in')), LONGEST_ANSWER_MS);
    client.sftp((error, sftp) => {
      clearTimeout(timer);
      if (error) reject(new SftpFault('NO_SFTP', 'sign in'));
      else resolve(sftp);
    });
  });
  return Promise.race([opened, broken]);
}
