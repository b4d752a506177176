import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { getCACertificates } from 'node:tls';
import { MailFault, type MailFaultKind, type SendResult } from '#lib/mail/mailer.ts';
import { CERTIFICATE } from '#messages/mail/mail-fault.ts';
import type { Transport } from '#messages/sending/transport.ts';

export interface SmsHookOptions {
  /** `SMS_URL` */
  readonly url: URL;
  /** `SMS_TOKEN` */
  readonly token: string;
  /** Certificate authorities trusted beside the system's: the contents of SMS_CA_FILE. */
  readonly caPem: string | null;
  /** A shorter bound, for tests. */
  readonly exchangeTimeoutMs?: number;
}

/** The bound of a webhook (delivery §1): from the name to the head of the answer. */
const EXCHANGE_TIMEOUT_MS = 15_000;
/** The bound of a webhook's head. The body of an answer is never read. */
const MOST_HEAD_BYTES = 16 * 1024;
/** Interim answers (1xx) are not asked for; a server may send a few. */
const MOST_INTERIM = 10;
/** The longest sender's name that networks show in place of a number. */
const LONGEST_SENDER = 11;

/** Answers that refuse this message for ever (messages §6). */
const REFUSALS: readonly number[] = [400, 404, 410, 422];
/** Answers that refuse the service: a setting is wrong. */
const STRANGERS: readonly number[] = [401, 403];

/** Sends SMS by one HTTP hook (messages §6). A redirect is an answer like any other. */
export function createSmsHook(options: SmsHookOptions): Transport {
  const { exchangeTimeoutMs = EXCHANGE_TIMEOUT_MS } = options;
  return {
    hasInbox: false,
    outcomeOf: () => null,
    async send({ mail: { id, text, fromName }, address }, signal, check) {
      const from = senderName(fromName ?? '');
      const body = JSON.stringify({ id, to: address, ...(from && { from }), text });
      const exchange = new AbortController();
      const timer = setTimeout(() => exchange.abort(), exchangeTimeoutMs);
      const stop = () => exchange.abort();
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      try {
        const status = await post(options, { id, body, signal: exchange.signal }, async () => {
          const isWanted = await check();
          // An SMS that the relay may have taken is waited for: cut off, it would be sent twice.
          if (isWanted) signal.removeEventListener('abort', stop);
          return isWanted;
        });
        return status === null ? 'STOPPED' : resultOf(status);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

interface Post {
  readonly id: string;
  readonly body: string;
  readonly signal: AbortSignal;
}

/**
 * Posts on a connection of its own.
 *
 * @param check runs once the connection stands, before the first byte
 * @returns the status; null: the check refused
 * @throws MailFault, and the error of `check`
 */
function post(
  { url, token, caPem }: SmsHookOptions,
  { id, body, signal }: Post,
  check: () => Promise<boolean>,
): Promise<number | null> {
  const isTls = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isTls ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: false,
      maxHeaderSize: MOST_HEAD_BYTES,
      signal,
      ...(caPem !== null && { ca: [...getCACertificates('default'), caPem] }),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'idempotency-key': id,
        connection: 'close',
      },
    });
    request.once('response', ({ statusCode = 0 }) => {
      resolve(statusCode);
      request.destroy();
    });
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > MOST_INTERIM) request.destroy(new Error('too many interim answers'));
    });
    request.once('error', (error) => reject(faultOf(error, signal)));
    request.once('socket', (socket) => {
      socket.once(isTls ? 'secureConnect' : 'connect', async () => {
        try {
          if (await check()) return request.end(body);
          resolve(null);
        } catch (error) {
          reject(error);
        }
        request.destroy();
      });
    });
  });
}

/** @throws MailFault for every status but 2xx */
function resultOf(status: number): SendResult {
  if (status >= 200 && status < 300) return 'SENT';
  let kind: MailFaultKind = 'TRANSIENT';
  if (REFUSALS.includes(status)) kind = 'CONTENT';
  if (STRANGERS.includes(status)) kind = 'SERVER';
  throw new MailFault(`HTTP ${status}`, kind, null);
}

function faultOf(error: Error & { readonly code?: unknown }, { aborted }: AbortSignal): MailFault {
  if (aborted) return new MailFault('DEADLINE', 'TRANSIENT', error);
  const reason = typeof error.code === 'string' ? error.code : 'CONNECTION';
  return new MailFault(reason, CERTIFICATE.test(reason) ? 'SERVER' : 'TRANSIENT', error);
}

/** Letters and digits of the name, as phones show them; a name that is too long is left out. */
function senderName(name: string): string | null {
  const plain = name.normalize('NFD').replace(/[^A-Za-z0-9]/g, '');
  return plain !== '' && plain.length <= LONGEST_SENDER ? plain : null;
}
