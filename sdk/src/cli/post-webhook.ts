import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as tls from 'node:tls';
import { basicCredentials, bytes, signWebhook } from '../webhooks/signature.ts';
import { InputFault } from './tool.ts';

/** Like the service's own sender: the limit of the whole exchange, and of the read answer. */
export const LONGEST_EXCHANGE_SECONDS = 15;
const MOST_BODY_BYTES = 16_384;
/** The printed part of the answer. */
const MOST_SHOWN_CHARACTERS = 200;

/** The credentials that a listener expects, and the secret that signs its webhooks. */
export interface ListenerSecrets {
  readonly username: string;
  readonly password: string;
  readonly signingSecret: string;
}

export interface PostedWebhook {
  /** null: no answer. */
  readonly status: number | null;
  /** The beginning of the answer, or why there is none. */
  readonly text: string;
  /** No whole answer came in time. */
  readonly isTooSlow: boolean;
  readonly durationMs: number;
}

export type PostWebhook = (
  headers: Readonly<Record<string, string>>,
  body: string | Readable,
) => Promise<PostedWebhook>;

/** The headers of a webhook as the service sends it (delivery §2). */
export async function webhookHeaders(
  { username, password, signingSecret }: ListenerSecrets,
  { id, body, timestamp = nowSeconds() }: { id: string; body: string; timestamp?: number },
): Promise<Record<string, string>> {
  const signed = { id, timestamp: String(timestamp), body: bytes(body) };
  return {
    authorization: basicCredentials(username, password),
    'content-type': 'application/json',
    'user-agent': 'payreq',
    'webhook-id': id,
    'webhook-timestamp': signed.timestamp,
    'webhook-signature': await signWebhook(signingSecret, signed),
  };
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Reads the address of a listener: HTTP is enough for one on this machine. */
export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.username) return url.href;
  throw new InputFault('Give an address that begins with http:// or https://.');
}

/**
 * Makes what posts webhooks to one listener of the person who types, over HTTP or HTTPS. Redirects
 * are not followed. It never throws: what goes wrong is the answer.
 *
 * @param caPem a certificate authority that is trusted beside the system's; null for none
 * @param timeoutSeconds the limit of the whole exchange
 */
export function createWebhookPost(
  url: string,
  caPem: string | null,
  timeoutSeconds = LONGEST_EXCHANGE_SECONDS,
): PostWebhook {
  const isHttps = url.startsWith('https:');
  const request = isHttps ? requestHttps : requestHttp;
  // A connection each, so that a listener that closes them costs no attempt.
  const once = { keepAlive: false };
  const ca = caPem === null ? undefined : [...systemAuthorities(), caPem];
  const agent = isHttps ? new HttpsAgent({ ...once, ...(ca && { ca }) }) : new HttpAgent(once);

  async function exchange(headers: Readonly<Record<string, string>>, body: string | Readable) {
    const signal = AbortSignal.timeout(timeoutSeconds * 1000);
    const length = typeof body === 'string' && { 'content-length': Buffer.byteLength(body) };
    const options = { method: 'POST', headers: { ...headers, ...length }, agent, signal };
    const sent = request(url, options);
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
    });
    // A listener may answer, and close, before it has read the body.
    pipeline(Readable.from(typeof body === 'string' ? [body] : body), sent).catch(() => {});
    try {
      const answer = await answered;
      return { status: answer.statusCode ?? null, text: await readBeginning(answer) };
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      sent.destroy();
    }
  }

  return async (headers, body) => {
    const startedMs = performance.now();
    const ended = (status: number | null, text: string, isTooSlow = false): PostedWebhook => ({
      status,
      isTooSlow,
      text: text.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_SHOWN_CHARACTERS),
      durationMs: Math.round(performance.now() - startedMs),
    });
    try {
      const { status, text } = await exchange(headers, body);
      return ended(status, text);
    } catch (error) {
      const isTooSlow = error instanceof Error && error.name === 'TimeoutError';
      const reason = isTooSlow ? `no answer within ${timeoutSeconds} s` : reasonOf(error);
      return ended(null, reason, isTooSlow);
    }
  };
}

/** Node.js below 22.15 cannot list the authorities that its own options add. */
function systemAuthorities(): readonly string[] {
  return tls.getCACertificates?.('default') ?? tls.rootCertificates;
}

async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MOST_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return error.message || code || error.name;
}
